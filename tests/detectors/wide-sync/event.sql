-- Near-miss: as own-stream.sql, but the host waits for an event behind the kernel.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned',  7, 52, 0, 0,  0, 10, 11000000, 61000000),
  ('kernel', NULL,  13, 51, 0, 0, 10, 40, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 13, 77, 54, 0, 0),
  ('cudaEventSynchronize', NULL, 77, 53, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 43, 43, 53, 63, NULL, NULL);
