-- Near-miss: the host waits for each chunk and then works for 5 ms before it enqueues the next: time
-- enough to read the 1 MB that came back. The wait counts as needed, and the report says so.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 40, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 41, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 42, 0, 0, 30, 40, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 40, 45, 45, 45, 55, 2000000, 52000000),
  ('kernel', NULL,  14, 41, 45, 45, 55, 75, NULL, NULL),
  ('d2h', 'pinned', 14, 42, 45, 45, 75, 85, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 46, 85);
