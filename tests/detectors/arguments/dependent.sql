-- Near-miss: the first kernel reads what was copied in last, the second one what the first wrote, and
-- that alone is copied back. The copies in share their engine: nothing could have begun earlier.
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000), (62000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,  13, 31, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL,  13, 31, 0, 0, 40, 60, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 60, 70, 12000000, 62000000);
INSERT INTO launch VALUES (3, 52000000, 61000000), (4, 61000000, 62000000);
-- Found:
wall 70 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 70 ms
