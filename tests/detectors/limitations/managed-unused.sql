-- No managed memory in the program: that it could not be counted is no loss.
INSERT INTO metadata (key, value) VALUES ('managed_memory', 'CUPTI_ERROR_UM_PROFILING_NOT_SUPPORTED (28)');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 1, 1, 1, 10, NULL, NULL);
