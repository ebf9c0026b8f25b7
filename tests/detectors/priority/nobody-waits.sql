-- Near-miss: the same kernels, but nobody waits for the short ones: the host enqueues them and goes on.
-- Base: scenes/h100.sql
INSERT INTO threads VALUES (101, 'app');
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 20, 0, 0,  0, 20, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 40, 60, NULL, NULL),
  ('kernel', NULL, 24, 30, 1, 1, 19, 20, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 1, 1, 20, 20.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 21, 21, 39, 40, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 21, 21, 40, 40.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 41, 41, 59, 60, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 41, 41, 60, 60.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 61, 61, 61, 62, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 61, 61, 62, 62.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 63, 63, 63, 64, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 63, 63, 64, 64.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 65, 65, 65, 66, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 65, 65, 66, 66.5, 11000000, 61000000);
UPDATE operations SET grid_x = iif(stream_id = 23, 82368, 1), grid_y = 1, grid_z = 1,
  block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0 WHERE kind = 1;
UPDATE calls SET thread_id = 101 WHERE site_id >= 30;
-- Found:
wall 66.5 ms, overlapped 1 ms, lost 0 (0 to 0) ms, replayed 66.5 ms
