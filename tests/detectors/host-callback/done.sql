-- Near-miss: the next chunk is enqueued when the host function has returned: it held nothing.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 82, 40, 40, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 40, 40, 50, 70, NULL, NULL);
INSERT INTO host_function (line, start, end) VALUES (81, 10, 40);
