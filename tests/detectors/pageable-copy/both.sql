-- Two chunks from pageable memory in two streams. Each call returns when its copy is done, so
-- nothing overlaps: 80 ms, of which the kernels (2 x 10 ms) need 20.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pageable', 13, 10,  0, 20,  0, 20, 1000000, 51000000),
  ('kernel', NULL,    13, 11, 20, 20, 20, 30, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 20, 40, 30, 40, 11000000, 61000000),
  ('h2d', 'pageable', 14, 10, 40, 60, 40, 60, 2000000, 52000000),
  ('kernel', NULL,    14, 11, 60, 60, 60, 70, NULL, NULL),
  ('d2h', 'pageable', 14, 12, 60, 80, 70, 80, 12000000, 62000000);
