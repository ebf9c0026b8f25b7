-- Near-miss: independent kernels in one stream, 20 us each, that fill the device. Each starts 2 us behind the one
-- before. In a stream of its own a kernel could start in those 2 us, and no other time is free for it.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (54000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 20, 0, 0, 0.000, 0.020, NULL, NULL),
  ('kernel', NULL, 13, 20, 0, 0, 0.022, 0.042, NULL, NULL),
  ('kernel', NULL, 13, 20, 0, 0, 0.044, 0.064, NULL, NULL),
  ('kernel', NULL, 13, 20, 0, 0, 0.066, 0.086, NULL, NULL);
INSERT INTO launch VALUES
  (1, 51000000, 51000000), (2, 52000000, 52000000), (3, 53000000, 53000000), (4, 54000000, 54000000);
UPDATE operations SET grid_x = 4224, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 0.086 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 0.086 ms
