-- Kernels in four streams, each behind one in the legacy default stream. No two have a buffer in common.
-- Base: scenes/h100.sql
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (1, 15, 1, 0, 1500), (1, 16, 1, 0, 1600);
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (54000000, 1000000),
  (55000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 20, 0, 0,  0,  7, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0,  7,  8, NULL, NULL),
  ('kernel', NULL, 14, 20, 0, 0,  8, 15, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0, 15, 16, NULL, NULL),
  ('kernel', NULL, 15, 20, 0, 0, 16, 23, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0, 23, 24, NULL, NULL),
  ('kernel', NULL, 16, 20, 0, 0, 24, 31, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0, 31, 32, NULL, NULL);
INSERT INTO launch VALUES
  (1, 51000000, 51000000), (2, 55000000, 55000000), (3, 52000000, 52000000),
  (4, 55000000, 55000000), (5, 53000000, 53000000), (6, 55000000, 55000000),
  (7, 54000000, 54000000), (8, 55000000, 55000000);
