-- 200 waits of 2 us: as short as a call. It is folded, though it is 400 us of 1,004.
UPDATE rounds SET times = 200, ms = 0.005;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0.001, 0.001, 0.003, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 0.001, 0.003);
-- Found:
wall 0.998 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 0.998 ms
sync-in-loop app.cu:42, 199 times, blocked 0.398 ms, lost 0.398 (0.398 to 0.398) ms, folded
  at 0.001 ms for 0.002 ms: call 2 operation 2 cause 1, other streams 0.002 ms
  at 0.006 ms for 0.002 ms: call 4 operation 3 cause 2, other streams 0.002 ms
  at 0.011 ms for 0.002 ms: call 6 operation 4 cause 3, other streams 0.002 ms
  fix: the other one
