-- Near-miss: the operations of independent.sql in chunks of one allocation, and nothing is
-- known of what the second kernel reaches. The first one may read all up to the end, what was copied
-- in last with it; each copy back may be the second one's result.
INSERT INTO allocation VALUES (50000000, 20000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,  13, 31, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL,  13, 31, 0, 0, 40, 60, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 60, 70, 11000000, 61000000),
  ('d2h', 'pinned', 13, 32, 0, 0, 70, 80, 12000000, 62000000);
INSERT INTO launch VALUES (3, 51000000, 61000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
not seen: kernel arguments: 1 2
not seen: buffers in one allocation: 2 2
