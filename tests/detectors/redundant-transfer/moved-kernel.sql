-- As moved.sql, but each step begins with a kernel (1 ms) that has nothing to do with the field: it may need the
-- memory that the field leaves, so that nothing is said.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000), (71000000, 1000000);
UPDATE rounds SET times = 6, ms = 31;
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 33, 0, 0, 0, 1, NULL, NULL),
  ('h2d', 'pinned', 7, 30, 0, 11, 1, 11, 11000000, 51000000),
  ('kernel', NULL, 7, 31, 11, 11, 11, 21, NULL, NULL),
  ('d2h', 'pinned', 7, 32, 11, 31, 21, 31, 11000000, 61000000);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
INSERT INTO launch SELECT id, 71000000, 71000000 FROM calls WHERE site_id = 33;
UPDATE calls SET numbers = 2147483648 + 100 + (start_ns - 1000000000) / 31000000 WHERE site_id = 30;
UPDATE calls SET numbers = 2147483648 + 101 + (start_ns - 1000000000) / 31000000 WHERE site_id = 32;
-- Found:
wall 186 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 186 ms
