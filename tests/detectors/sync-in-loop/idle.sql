-- Near-miss: a synchronize in the middle, but everything was done already; and one at the end that
-- waits, with nothing to follow.
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', 7, NULL, 43, 31, 32);
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 33, 33, 33, 63, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', 7, NULL, 44, 34, 63);
-- Found:
wall 63 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 63 ms
