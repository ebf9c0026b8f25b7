-- As small-kernels, but two lines launch the tiny kernels in turn. A stream for one of them alone leaves the
-- other's between: the fix is one for both (the other streams do not block), and each line is said to
-- save what its own kernels delayed, up to the 25 ms that both do.
-- Base: scenes/h100.sql
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (1, 15, 1, 0, 1500), (1, 16, 1, 0, 1600);
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (54000000, 1000000),
  (55000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 20, 0, 0,  0,  7, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0,  7,  8, NULL, NULL),
  ('kernel', NULL, 14, 20, 0, 0,  8, 15, NULL, NULL),
  ('kernel', NULL,  7, 22, 0, 0, 15, 16, NULL, NULL),
  ('kernel', NULL, 15, 20, 0, 0, 16, 23, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0, 23, 24, NULL, NULL),
  ('kernel', NULL, 16, 20, 0, 0, 24, 31, NULL, NULL),
  ('kernel', NULL,  7, 22, 0, 0, 31, 32, NULL, NULL);
INSERT INTO launch VALUES
  (1, 51000000, 51000000), (2, 55000000, 55000000), (3, 52000000, 52000000),
  (4, 55000000, 55000000), (5, 53000000, 53000000), (6, 55000000, 55000000),
  (7, 54000000, 54000000), (8, 55000000, 55000000);
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 32 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 32 ms
default-stream app.cu:21, 7 times, blocked 76 ms, lost 25 (25 to 25) ms
  site app.cu:21, 4 times, blocked 46 ms
  site app.cu:22, 3 times, blocked 30 ms
  at 0 ms for 24 ms: operation 7 cause 6
  at 0 ms for 16 ms: operation 5 cause 4
  at 0 ms for 8 ms: operation 3 cause 2
