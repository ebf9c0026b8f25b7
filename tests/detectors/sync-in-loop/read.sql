-- Near-miss: the host waits for each chunk and then works for 5 ms before it enqueues the next: time
-- enough to read the 1 MB that came back. The wait counts as needed, and the report says so.
INSERT INTO chunk VALUES (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk VALUES (2, 2, 14, 40, 45, 45, 55, 75);
INSERT INTO call VALUES ('cudaDeviceSynchronize', 7, NULL, 44, 46, 85);
-- Found:
wall 85 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 85 ms
not seen: sync-in-loop: 1 39
