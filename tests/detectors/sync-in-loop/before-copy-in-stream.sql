-- Near-miss: as before-copy.sql, the other way round: the kernel is in the default stream, and the copy
-- that waits for it by itself is in a blocking stream.
INSERT INTO operation VALUES ('kernel', NULL,  7, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', 7, NULL, 41, 1, 20);
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 42, 20, 30, 20, 30, 11000000, 61000000),
  ('kernel', NULL,  13, 43, 31, 31, 31, 51, NULL, NULL);
UPDATE operations SET is_async = 0 WHERE copy_kind = 2;
-- Found:
wall 51 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 51 ms
not seen: blocking-copy: 1 10
