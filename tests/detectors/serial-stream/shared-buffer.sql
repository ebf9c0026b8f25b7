-- The same with two chunks through one device buffer: the fix must say that each stream needs one.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 31, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 30, 40, 11000000, 51000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 40, 50, 2000000, 51000000),
  ('kernel', NULL,  13, 31, 0, 0, 50, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 70, 80, 12000000, 51000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (0 to 20) ms, replayed 80 ms
serial-stream app.cu:30, 1 times, blocked 30 ms, lost 20 (0 to 20) ms
  at 10 ms for 30 ms: operation 4 cause 3
  fix: the other one
