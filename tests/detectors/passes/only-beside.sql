-- Two pageable copies from line 22 block the host for 20 and 40 ms; the second runs beside the kernel of line
-- 20. The copy of line 23 waits in its stream for that kernel, 0.4 ms, and the host works meanwhile: in a
-- stream of its own it saves 0.1 of 70.4 ms. From pinned memory line 22's copies take 10 ms each, as that of
-- line 23 does, and return at once; the kernel runs from 0 to 40.4, and the copy of line 23 still behind
-- it: 20 ms. Only then line 23 waits long, from 20 to 40.4, and in a stream of its own saves 10 ms more. That
-- is more than it waited in the trace: it is told as found with line 22 fixed.
INSERT INTO operation VALUES
  ('h2d', 'pageable', 14, 22,  0, 20,  0,   20,   1000000, 51000000),
  ('kernel', NULL,    13, 20, 20, 20, 20,   60.4, NULL, NULL),
  ('h2d', 'pageable', 14, 22, 20, 60, 20,   60,   2000000, 52000000),
  ('h2d', 'pinned',   13, 23, 60, 60, 60.4, 70.4, 3000000, 53000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 24, 70.3, 70.4);
-- Found:
wall 70.4 ms, overlapped 40 ms, lost 30 (30 to 30) ms, replayed 70.4 ms
pageable-copy app.cu:22, 2 times, blocked 60 ms, lost 20 (20 to 20) ms
  at 20 ms for 40 ms: call 3 operation 3, copy 40 ms
  at 0 ms for 20 ms: call 1 operation 1, copy 20 ms
serial-stream app.cu:23, 1 times, blocked 0.4 ms, lost 10 (10 to 10) ms, with the others fixed
  at 60 ms for 0.4 ms: operation 4 cause 2
