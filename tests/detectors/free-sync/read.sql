-- Near-miss: the host relies on cudaFree to wait, and has 5 ms to read what came back before it
-- enqueues more. The wait counts as needed, and the report says so.
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 72, 0, 0,  0, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 73, 0, 0, 30, 40, 11000000, 61000000);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 1, 40);
INSERT INTO operation VALUES ('kernel', NULL, 14, 72, 45, 45, 45, 65, NULL, NULL);
-- Found:
wall 65 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 65 ms
not seen: free-sync: 1 39
