-- The host waits for the whole device between two kernels, and nothing came back that it could read. The
-- compute engine runs one at a time: the second kernel could start at 30 ms instead of 33.
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 1, 30);
INSERT INTO operation VALUES ('kernel', NULL, 14, 41, 33, 33, 33, 63, NULL, NULL);
-- Found:
wall 63 ms, overlapped 0 ms, lost 3 (3 to 3) ms, replayed 63 ms
sync-in-loop app.cu:42, 1 times, blocked 29 ms, lost 3 (3 to 3) ms
  at 1 ms for 29 ms: call 2 operation 2 cause 1, other streams 29 ms
