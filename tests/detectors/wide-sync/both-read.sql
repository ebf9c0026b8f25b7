-- Near-miss: as chunks.sql, but the host has 5 ms: enough to read both results (2 GB at 500 GB/s take
-- 4 ms). The wait counts as needed.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 50, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 51, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 52, 0, 0, 30, 40, 11000000, 61000000),
  ('h2d', 'pinned', 14, 50, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,  14, 51, 0, 0, 30, 50, NULL, NULL),
  ('d2h', 'pinned', 14, 52, 0, 0, 50, 60, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 60);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 50, 65, 65,  65,  75, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 65, 65,  75,  95, NULL, NULL),
  ('d2h', 'pinned', 13, 52, 65, 65,  95, 105, 13000000, 61000000),
  ('h2d', 'pinned', 14, 50, 65, 65,  75,  85, 4000000, 52000000),
  ('kernel', NULL,  14, 51, 65, 65,  95, 115, NULL, NULL),
  ('d2h', 'pinned', 14, 52, 65, 65, 115, 125, 14000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 54, 66, 125);
INSERT INTO copies (size) VALUES (1000000000);
