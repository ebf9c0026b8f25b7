-- Two chunks with one buffer for their results, 80 ms. In streams the second kernel writes it when the
-- first copy back has read it: copy in 10 to 20, kernel 40 to 60, copy back 60 to 70. With a second
-- buffer the kernel runs from 30 to 50, and all ends at 60.
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000), (62000000, 1000000);
INSERT INTO chunk VALUES (1, 1, 13, 30, 0, 0, 10, 30);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0, 40, 50, 2000000, 52000000),
  ('kernel', NULL, 13, 31, 0, 0, 50, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 70, 80, 12000000, 61000000);
INSERT INTO launch VALUES (2, 51000000, 61000000), (5, 52000000, 61000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (10 to 20) ms, replayed 80 ms
serial-stream app.cu:30, 1 times, blocked 30 ms, lost 20 (10 to 20) ms
  at 10 ms for 30 ms: operation 4 cause 3
