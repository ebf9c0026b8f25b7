-- Near-miss: one queue, but each kernel fills the device (132 x 32 blocks): the second chain runs when the first
-- has ended, with any number of queues.
-- Base: scenes/h100.sql
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 20, 0, 0,  0, 10, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 10, 20, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 30, 40, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 40, 50, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 50, 60, NULL, NULL);
UPDATE operations SET grid_x = 4224, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0,
  channel_id = 1, channel_type = 1;
-- Found:
wall 60 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 60 ms
