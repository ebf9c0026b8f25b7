-- Two chunks from pageable memory in two streams. Each call returns when its copy is done, so
-- nothing overlaps: 80 ms, of which the kernels (2 x 10 ms) need 20.
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 10,  0, 20,  0, 20, 1000000, 51000000),
  ('kernel', NULL,    13, 11, 20, 20, 20, 30, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 20, 40, 30, 40, 11000000, 61000000),
  ('h2d', 'pageable', 14, 10, 40, 60, 40, 60, 2000000, 52000000),
  ('kernel', NULL,    14, 11, 60, 60, 60, 70, NULL, NULL),
  ('d2h', 'pageable', 14, 12, 60, 80, 70, 80, 12000000, 62000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (0 to 60) ms, replayed 80 ms
pageable-copy app.cu:12, 2 times, blocked 40 ms, lost 20 (0 to 30) ms
  at 20 ms for 20 ms: call 3 operation 3 cause 2, stream 10 ms, copy 10 ms
  at 60 ms for 20 ms: call 6 operation 6 cause 5, stream 10 ms, copy 10 ms
pageable-copy app.cu:10, 2 times, blocked 40 ms, lost 0 (0 to 40) ms
  at 0 ms for 20 ms: call 1 operation 1, copy 20 ms
  at 40 ms for 20 ms: call 4 operation 4, copy 20 ms
not seen: pinned copies:
