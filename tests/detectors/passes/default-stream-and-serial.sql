-- The copy at line 24 waits in its stream for the kernel at line 20 (0 to 30 ms) and behind the
-- barrier for the default stream's kernel at line 23 (30 to 60), which needs the other. Without the
-- barrier alone the copy could start at 30; without both at 0. The copy at line 22 waits in its
-- stream for the copy out (0 to 5). Without both constraints the kernels end at 60 and the copies at
-- 45: 40 ms less, though the two waits last for 30 and 5.
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 20, 0, 0,  0,  30, NULL, NULL),
  ('d2h', 'pinned', 23, 21, 0, 0,  0,   5, 11000000, 61000000),
  ('h2d', 'pinned', 23, 22, 0, 0,  5,  10, 1000000, 51000000),
  ('kernel', NULL,   7, 23, 0, 0, 30,  60, NULL, NULL),
  ('h2d', 'pinned', 13, 24, 0, 0, 60, 100, 2000000, 52000000);
-- Found:
wall 100 ms, overlapped 10 ms, lost 40 (40 to 40) ms, replayed 100 ms
default-stream app.cu:23, 1 times, blocked 30 ms, lost 0 (0 to 0) ms
  at 30 ms for 30 ms: operation 5 cause 4
serial-stream app.cu:24, 1 times, blocked 55 ms, lost 40 (40 to 40) ms, with the others fixed
  at 5 ms for 55 ms: operation 5 cause 4
serial-stream app.cu:22, 1 times, blocked 5 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 5 ms: operation 3 cause 2
