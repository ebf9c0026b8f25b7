-- The host waits between a kernel that reads a buffer and the copy of another stream that overwrites it: once the wait is
-- gone, only an event orders both. The second wait orders nothing: the last kernel reads other memory.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO operation VALUES ('kernel', NULL, 23, 41, 0, 0, 0, 10, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 23, NULL, 42, 1, 12);
INSERT INTO operation VALUES ('h2d', 'pinned', 24, 43, 12, 12, 12, 22, 1000000, 51000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 44, 13, 24);
INSERT INTO operation VALUES ('kernel', NULL, 23, 45, 24, 24, 24, 34, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 46, 25, 35);
INSERT INTO launch VALUES (1, 51000000, 61000000), (5, 52000000, 61000000);
-- Found:
wall 35 ms, overlapped 0 ms, lost 13 (13 to 13) ms, replayed 35 ms
sync-in-loop app.cu:44, 1 times, blocked 9 ms, lost 11 (11 to 11) ms
  at 13 ms for 9 ms: call 4 operation 3 cause 2, other streams 9 ms
sync-in-loop app.cu:42, 1 times, blocked 9 ms, lost 2 (2 to 2) ms
  at 1 ms for 9 ms: call 2 operation 2 cause 1, stream 9 ms
