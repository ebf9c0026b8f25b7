-- Near-miss: as in.sql, but the host reads a clock right behind cudaMemcpy, which counts as needed.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 61,  0,  0,  0, 30, NULL, NULL),
  ('h2d', 'pinned',  7, 62,  1, 40, 30, 40, 1000000, 51000000),
  ('kernel', NULL,  14, 61, 40, 40, 40, 60, NULL, NULL);
INSERT INTO made_by (line, function) VALUES (62, 'cudaMemcpy');
INSERT INTO clock_reads (thread_id, time_ns, module_id) VALUES (100, 1040000000, 1);
