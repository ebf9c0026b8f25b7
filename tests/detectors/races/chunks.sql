-- Two streams, each with its own half of one allocation: the kernels' pointers reach up to the other half.
INSERT INTO allocation VALUES (51000000, 2000000), (61000000, 2000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 23, 31, 0, 0, 10, 20, NULL, NULL),
  ('h2d', 'pinned', 24, 30, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL, 24, 31, 0, 0, 20, 30, NULL, NULL);
INSERT INTO launch VALUES (2, 51000000, 61000000), (4, 52000000, 62000000);
-- Found:
