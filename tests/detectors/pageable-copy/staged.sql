-- Near-miss: the pageable copies are so small that they are staged before the call returns; the
-- copies themselves run later, beside the other stream's kernel. Nothing waited.
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 10, 0, 1,  2,  4, 1000000, 51000000),
  ('kernel', NULL,    13, 11, 1, 1,  4, 24, NULL, NULL),
  ('h2d', 'pageable', 14, 10, 1, 2,  5,  7, 2000000, 52000000),
  ('kernel', NULL,    14, 11, 2, 2, 24, 44, NULL, NULL);
-- Found:
wall 44 ms, overlapped 2 ms, lost 0 (0 to 0) ms, replayed 44 ms
