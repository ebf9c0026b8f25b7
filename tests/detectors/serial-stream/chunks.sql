-- Three chunks with buffers of their own, all in one stream: 3 x (10 + 20 + 10) = 120 ms. In streams
-- of their own: 10 + 3 x 20 + 10 = 80.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,   0,  10, 1000000, 51000000),
  ('kernel', NULL,  13, 31, 0, 0,  10,  30, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0,  30,  40, 11000000, 61000000),
  ('h2d', 'pinned', 13, 30, 0, 0,  40,  50, 2000000, 52000000),
  ('kernel', NULL,  13, 31, 0, 0,  50,  70, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0,  70,  80, 12000000, 62000000),
  ('h2d', 'pinned', 13, 30, 0, 0,  80,  90, 3000000, 53000000),
  ('kernel', NULL,  13, 31, 0, 0,  90, 110, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 110, 120, 13000000, 63000000);
