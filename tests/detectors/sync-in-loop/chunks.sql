-- The host waits for each chunk before it enqueues the next, in another stream: 80 ms, while
-- 10 + 2 x 20 + 10 = 60 would do. The wait at the end costs nothing: no work follows it.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 40, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 41, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 42, 0, 0, 30, 40, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 40, 40, 40, 40, 50, 2000000, 52000000),
  ('kernel', NULL,  14, 41, 40, 40, 50, 70, NULL, NULL),
  ('d2h', 'pinned', 14, 42, 40, 40, 70, 80, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 41, 80);
