-- As timed.sql, under Python: its C++ library reads clocks for the libraries that it loads, so the first wait is found, too.
INSERT INTO metadata VALUES ('python', 'on: 3.12.3');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 42, 1, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 14, 41, 33, 33, 33, 63, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 43, 34, 63);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 14, 41, 66, 66, 66, 96, NULL, NULL);
INSERT INTO modules VALUES (2, '/usr/lib/libother.so', NULL), (3, '/usr/lib/libstdc++.so.6', NULL);
INSERT INTO clock_reads (thread_id, time_ns, module_id) VALUES
  (100, 1031000000, 3), (100, 1064000000, 2), (100, 1040000000, 1);
