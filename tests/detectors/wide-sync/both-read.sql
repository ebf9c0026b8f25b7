-- Near-miss: as chunks.sql, but the host has 5 ms: enough to read both results (2 GB at 500 GB/s take
-- 4 ms). The wait counts as needed.
INSERT INTO chunk VALUES (1, 1, 13, 50, 0, 0, 10, 30), (2, 2, 14, 50, 0, 10, 30, 50);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 60);
INSERT INTO chunk VALUES (3, 1, 13, 50, 65, 65, 75, 95), (4, 2, 14, 50, 65, 75, 95, 115);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 54, 66, 125);
INSERT INTO copies VALUES (1000000000);
-- Found:
wall 125 ms, overlapped 40 ms, lost 0 (0 to 0) ms, replayed 125 ms
not seen: sync-in-loop: 1 59
