-- Near-miss: the pageable copies are so small that they are staged before the call returns; the
-- copies themselves run later, beside the other stream's kernel. Nothing waited.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pageable', 13, 10, 0, 1,  2,  4, 1000000, 51000000),
  ('kernel', NULL,    13, 11, 1, 1,  4, 24, NULL, NULL),
  ('h2d', 'pageable', 14, 10, 1, 2,  5,  7, 2000000, 52000000),
  ('kernel', NULL,    14, 11, 2, 2, 24, 44, NULL, NULL);
