-- As blocking-copy, with a host that is seen to touch what the first copy brought when all is done, 41 ms
-- after it: no end of the interval keeps that wait. No work follows the second copy.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 60,  0,  0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 61,  0,  0, 10, 30, NULL, NULL),
  ('d2h', 'pinned',  7, 62,  0, 40, 30, 40, 11000000, 61000000),
  ('h2d', 'pinned', 14, 60, 40, 40, 40, 50, 2000000, 52000000),
  ('kernel', NULL,  14, 61, 40, 40, 50, 70, NULL, NULL),
  ('d2h', 'pinned',  7, 62, 40, 80, 70, 80, 12000000, 62000000);
INSERT INTO made_by (line, function) VALUES (62, 'cudaMemcpy');
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 40, 1, 81, 90, 1000000);
