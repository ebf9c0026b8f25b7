-- Near-miss: as kernel.sql, but the result is done no earlier than the other stream's kernel: a wait for
-- the first stream would take as long.
INSERT INTO operation VALUES
  ('kernel', NULL,  14, 51, 0, 0, 0, 40, NULL, NULL),
  ('d2h', 'pinned', 13, 52, 0, 0, 0, 40, 11000000, 61000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 40);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 43, 43, 53, 63, NULL, NULL);
-- Found:
wall 63 ms, overlapped 40 ms, lost 0 (0 to 0) ms, replayed 63 ms
not seen: sync-in-loop: 1 39
