-- As before-copy.sql, but a launch follows, which returns only when its kernel is done. Without the first
-- wait the kernel could start at 20 ms instead of 22.
INSERT INTO operation VALUES ('kernel', NULL,  13, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 41, 1, 20);
INSERT INTO operation VALUES ('kernel', NULL,  13, 43, 22, 42, 22, 42, NULL, NULL);
-- Found:
wall 42 ms, overlapped 0 ms, lost 2 (2 to 2) ms, replayed 42 ms
sync-in-loop app.cu:41, 1 times, blocked 19 ms, lost 2 (2 to 2) ms
  at 1 ms for 19 ms: call 2 operation 2 cause 1, other streams 19 ms
