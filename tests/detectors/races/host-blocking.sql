-- A blocking copy behind a copy in its stream is a wait.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 7, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('d2h', 'pinned', 7, 31, 1, 20.01, 10, 20, 2000000, 52000000);
UPDATE calls SET function_id = 7 WHERE site_id = 31;
INSERT INTO copy_watch VALUES (1, 'source', 2, 21, 100, 40);
-- Found:
unseen: launch arguments are not recorded
