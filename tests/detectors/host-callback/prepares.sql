-- Near-miss: nothing comes back before the host function: it may prepare what the copy reads.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 80, 0, 0, 0, 10, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 0, 0, 50, 70, NULL, NULL);
INSERT INTO host_function (line, start, end) VALUES (81, 10, 40);
