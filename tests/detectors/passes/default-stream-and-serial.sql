-- The copy at line 24 waits in its stream for the kernel at line 20 (0 to 30 ms) and behind the
-- barrier for the default stream's kernel at line 23 (30 to 60), which needs the other. Without the
-- barrier alone the copy could start at 30; without both at 0. The copy at line 22 waits in its
-- stream for the copy out (0 to 5). Without both constraints the kernels end at 60 and the copies at
-- 45: 40 ms less, though the two waits last for 30 and 5.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 20, 0, 0,  0,  30, NULL, NULL),
  ('d2h', 'pinned', 23, 21, 0, 0,  0,   5, 11000000, 61000000),
  ('h2d', 'pinned', 23, 22, 0, 0,  5,  10, 1000000, 51000000),
  ('kernel', NULL,   7, 23, 0, 0, 30,  60, NULL, NULL),
  ('h2d', 'pinned', 13, 24, 0, 0, 60, 100, 2000000, 52000000);
