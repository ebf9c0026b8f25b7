-- As kernel.sql, but the host waits for the legacy default stream, which waits for both blocking
-- streams as the device would. With a wait for the first stream the copy runs from 13 to 23, the kernel
-- behind the other one from 40 to 50.
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 52, 0, 0, 0, 10, 11000000, 61000000),
  ('kernel', NULL,  14, 51, 0, 0, 0, 40, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 7, NULL, 53, 1, 40);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 43, 43, 53, 63, NULL, NULL);
-- Found:
wall 63 ms, overlapped 10 ms, lost 13 (13 to 13) ms, replayed 63 ms
wide-sync app.cu:53, 1 times, blocked 30 ms, lost 13 (13 to 13) ms
  at 10 ms for 30 ms: call 3 operation 3 cause 2 needed 1, other streams 39 ms
