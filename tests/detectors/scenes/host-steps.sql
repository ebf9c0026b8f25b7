-- Nine steps of 10 ms in Python: copy 1 ms, kernel 2 ms, enqueued at once, and then no call for 10 ms: the GPU is
-- idle for 7 of them, 8 x 7 = 56 ms in all, of 83. Rows of the cases come 8 times, one for each time between steps.
UPDATE rounds SET times = 9, ms = 10;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 40, 0, 0, 0, 1, 1000000, 50000000),
  ('kernel', NULL, 13, 41, 0, 0, 1, 3, NULL, NULL);
UPDATE modules SET path = '/usr/bin/python3.12';
UPDATE frames SET file = NULL, line = NULL;
INSERT INTO stack VALUES (40, 0, '/home/u/train.py', 40, 'main', NULL), (41, 0, '/home/u/train.py', 41, 'main', NULL);
-- Line 43 of the loop calls prepare() of another file, line 44 is the loop's own.
INSERT INTO stack VALUES
  (100, 0, '/home/u/augment.py', 7, 'prepare', NULL), (100, 1, '/home/u/train.py', 43, 'main', NULL),
  (101, 0, '/home/u/train.py', 44, 'main', NULL);
UPDATE rounds SET times = 8;
