-- Two streams, a chunk in each, of 1 GB: the host waits for the device (until 60 ms), reads for 3 ms,
-- which is enough for one of the results, and enqueues the next two: 123 ms. With a wait for the first
-- result (40) the next copies run from 43 and 60, the kernels from 53 and 73, the last copy out ends
-- at 103. Should the host read a part of both, nothing is saved.
INSERT INTO chunk VALUES (1, 1, 13, 50, 0, 0, 10, 30), (2, 2, 14, 50, 0, 10, 30, 50);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 60);
INSERT INTO chunk VALUES (3, 1, 13, 50, 63, 63, 73, 93), (4, 2, 14, 50, 63, 73, 93, 113);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 54, 64, 123);
INSERT INTO copies VALUES (1000000000);
-- Found:
wall 123 ms, overlapped 40 ms, lost 20 (0 to 20) ms, replayed 123 ms
wide-sync app.cu:53, 1 times, blocked 20 ms, lost 20 (0 to 20) ms
  at 40 ms for 20 ms: call 7 operation 7 cause 6 needed 4, other streams 59 ms
