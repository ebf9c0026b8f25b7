-- Near-miss: one copy, one kernel in the default stream that needs it, one copy back. The barrier
-- holds both, but so does the data.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 20, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,   7, 21, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 22, 0, 0, 30, 40, 11000000, 61000000);
-- Found:
wall 40 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 40 ms
