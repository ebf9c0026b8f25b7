-- The last three calls, which free memory behind all work, count in the bound of what the first pass
-- finds. What the second pass finds behind that adds to it, up to what the run has: never below.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned',   13, 30,  0,  0,  0,  10,  1000000, 51000000),
  ('kernel', NULL,    13, 31,  0,  0, 10,  40, NULL, NULL),
  ('d2h', 'pageable', 13, 32,  0, 50, 40,  50, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 33, 50, 50);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned',   14, 30, 50, 50, 50,  60,  2000000, 52000000),
  ('kernel', NULL,    14, 31, 50, 50, 60,  90, NULL, NULL),
  ('kernel', NULL,    14, 34, 90, 90, 90,  95, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 90, 95);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pageable', 14, 32, 95, 105, 95, 105, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 14, NULL, 33, 105, 105);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 105, 135),
  ('cudaFree', NULL, NULL, 74, 135, 165),
  ('cudaFree', NULL, NULL, 74, 165, 170);
