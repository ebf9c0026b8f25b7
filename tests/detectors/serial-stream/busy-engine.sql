-- Near-miss: the copy of the second chunk waits in its stream, but its engine is busy all the while
-- with another stream's copies.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 31, 0, 0, 10, 30, NULL, NULL),
  ('h2d', 'pinned', 14, 33, 0, 0, 10, 30, 4000000, 54000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 30, 40, 2000000, 52000000);
-- Found:
wall 40 ms, overlapped 20 ms, lost 0 (0 to 0) ms, replayed 40 ms
