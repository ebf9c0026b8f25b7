-- No managed memory in the program: that it could not be counted is no loss.
INSERT INTO metadata VALUES ('managed_memory', 'CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED (28)');
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 1, 1, 1, 10, NULL, NULL);
-- Found:
wall 9 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 9 ms
