-- A line that synchronizes three times: the first wait is not needed, the second call finds the device idle,
-- and takes 2 ms for nothing, the third is the last. Without the first two: the kernels run from 0 to 10, to
-- 20 and to 30, instead of until 40; the last call returns 2 ms after that.
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 10, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 1, 12);
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 12, 12, 12, 22, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 28, 30);
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 30, 30, 30, 40, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 31, 42);
-- Found:
wall 42 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 42 ms
sync-in-loop app.cu:42, 2 times, blocked 9 ms, lost 10 (10 to 10) ms
  at 1 ms for 9 ms: call 2 operation 2 cause 1, other streams 9 ms
  at 28 ms for 0 ms: call 4 operation 3
