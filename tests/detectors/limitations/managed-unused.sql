-- No managed memory in the program: that it could not be counted is no loss.
INSERT INTO metadata VALUES ('managed_memory', 'CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED (28)');
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 1, 1, 1, 10, NULL, NULL);
