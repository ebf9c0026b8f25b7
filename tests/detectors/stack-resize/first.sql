-- Near-miss: the program's first kernel. Loading the program takes as long as the copy that is pending then.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 61, 0,  0,  0, 10, 1000000, 51000000),
  ('kernel', NULL, 14, 62, 1, 12, 12, 22, NULL, NULL),
  ('kernel', NULL, 14, 62, 12, 12, 22, 32, NULL, NULL);
-- Found:
wall 32 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 32 ms
