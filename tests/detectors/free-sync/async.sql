-- Near-miss: cudaFreeAsync that returned with the end of a kernel, for whatever reason: to write it is
-- what the fix says.
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaFreeAsync', 13, NULL, 74, 1, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 71, 30, 30, 30, 40, 2000000, 52000000);
-- Found:
wall 40 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 40 ms
