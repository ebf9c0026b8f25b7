-- As prepares.sql without the copies: what the host does between the kernels does not go to the device.
UPDATE rounds SET times = 5, ms = 6;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 3, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0, 3);
-- Found:
wall 27 ms, overlapped 0 ms, lost 12 (12 to 12) ms, replayed 27 ms
sync-in-loop app.cu:42, 4 times, blocked 12 ms, lost 12 (12 to 12) ms
  at 0 ms for 3 ms: call 2 operation 2 cause 1, stream 3 ms
  at 6 ms for 3 ms: call 4 operation 3 cause 2, stream 3 ms
  at 12 ms for 3 ms: call 6 operation 4 cause 3, stream 3 ms
