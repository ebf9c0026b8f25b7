-- Near-miss: cudaFreeAsync that returned with the end of a kernel, for whatever reason: to write it is
-- what the fix says.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 72, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFreeAsync', 13, NULL, 74, 1, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 71, 30, 30, 30, 40, 2000000, 52000000);
