-- A program with managed memory, where CUPTI could not count: the report says so.
INSERT INTO metadata (key, value) VALUES ('managed_memory', 'CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED (28)');
INSERT INTO functions (id, name, class) VALUES (20, 'cudaMallocManaged', 'alloc');
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaMallocManaged', NULL, NULL, 5, 0, 1);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 1, 1, 1, 10, NULL, NULL);
