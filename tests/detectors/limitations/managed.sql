-- A program with managed memory, where CUPTI could not count: the report says so.
INSERT INTO metadata VALUES ('managed_memory', 'CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED (28)');
INSERT INTO functions VALUES (9, 'cudaMallocManaged', 'alloc');
INSERT INTO other_call VALUES (9, NULL, NULL, 5, 0, 1);
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 1, 1, 1, 10, NULL, NULL);
