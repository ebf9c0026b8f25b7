-- As not-seen.sql, but the copy reads the pinned memory: a staging buffer, of which kernels know nothing.
-- The wait is not needed.
INSERT INTO call VALUES ('cudaHostAlloc', NULL, NULL, 5, 0, 0);
UPDATE calls SET dst = 1000000, size_bytes = 1000000 WHERE site_id = 5;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 1, 1, 1, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 2, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 43, 40, 40, 40, 60, 1000000, 51000000);
-- Found:
wall 60 ms, overlapped 0 ms, lost 28 (28 to 28) ms, replayed 60 ms
sync-in-loop app.cu:42, 1 times, blocked 28 ms, lost 10 (10 to 10) ms
  at 2 ms for 28 ms: call 3 operation 2 cause 1, other streams 28 ms
serial-stream app.cu:43, 1 times, blocked 18 ms, lost 18 (18 to 18) ms, with the others fixed
  at 12 ms for 18 ms: operation 2 cause 1
