-- Three kernels in each of two streams, one chain behind the other, on an H100.
-- Base: scenes/h100.sql
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 20, 0, 0,  0, 10, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 10, 20, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 30, 40, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 40, 50, NULL, NULL);
