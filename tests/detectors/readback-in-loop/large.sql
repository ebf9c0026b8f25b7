-- The same steps with a result of 1 MB, which is data that the host works on: nothing is found.
UPDATE rounds SET times = 10, ms = 20;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 40, 0, 1, 1, 11, NULL, NULL),
  ('d2h', 'pageable', 13, 41, 1, 2, 11, 12, 1000000, 60000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 2, 12);
-- Found:
wall 192 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 192 ms
not seen: sync-in-loop: 9 90
