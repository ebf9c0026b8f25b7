-- Near-miss: cudaFree when everything was done already, though it takes 12 ms for itself; and one that
-- returns while the kernel still runs, as the release of memory of a pool does.
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 31, 43);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 43, 43, 43, 63, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 44, 45);
INSERT INTO operation VALUES ('kernel', NULL, 14, 72, 46, 46, 63, 83, NULL, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
