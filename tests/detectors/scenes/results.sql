-- Twice a kernel and a copy of its result, on an H100.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 20, 0, 0, 0, 10, NULL, NULL),
  ('d2h', 'pinned', 13, 21, 0, 0, 10, 11, 1000000, 51000000),
  ('kernel', NULL, 13, 20, 0, 0, 11, 21, NULL, NULL),
  ('d2h', 'pinned', 13, 21, 0, 0, 21, 22, 2000000, 52000000);
