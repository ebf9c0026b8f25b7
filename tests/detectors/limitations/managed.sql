-- A program with managed memory, where CUPTI could not count: the report says so.
INSERT INTO functions VALUES (22, 'cudaMallocManaged', 'alloc');
INSERT INTO metadata VALUES ('managed_memory', 'CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED (28)');
INSERT INTO call VALUES ('cudaMallocManaged', NULL, NULL, 5, 0, 1);
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 1, 1, 1, 10, NULL, NULL);
-- Found:
wall 10 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 10 ms
not seen: managed memory: 28
