-- As before-copy.sql, but a launch follows, which returns only when its kernel is done. Without the first
-- wait the kernel could start at 20 ms instead of 22.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 41, 1, 20);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 43, 22, 42, 22, 42, NULL, NULL);
