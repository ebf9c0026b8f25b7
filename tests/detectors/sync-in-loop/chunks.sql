-- The host waits for each chunk before it enqueues the next, in another stream: 80 ms, while
-- 10 + 2 x 20 + 10 = 60 would do. The wait at the end costs nothing: no work follows it.
INSERT INTO chunk VALUES (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk VALUES (2, 2, 14, 40, 40, 40, 50, 70);
INSERT INTO call VALUES ('cudaDeviceSynchronize', 7, NULL, 44, 41, 80);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (0 to 20) ms, replayed 80 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 20 (0 to 20) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms
