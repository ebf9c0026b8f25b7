-- Near-miss: kernels in the default stream, but the copies are in non-blocking streams: no barrier.
-- The copies run beside the kernels, 10 + 3 x 20 = 70 ms, and less cannot be.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 20, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,   7, 21, 0, 0, 10, 30, NULL, NULL),
  ('h2d', 'pinned', 24, 20, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,   7, 21, 0, 0, 30, 50, NULL, NULL),
  ('h2d', 'pinned', 23, 20, 0, 0, 20, 30, 3000000, 53000000),
  ('kernel', NULL,   7, 21, 0, 0, 50, 70, NULL, NULL);
-- Found:
wall 70 ms, overlapped 20 ms, lost 0 (0 to 0) ms, replayed 70 ms
