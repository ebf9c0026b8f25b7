-- Near-miss: as threads, but each kernel fills the device (132 x 32 blocks): with streams of their own they
-- would still take turns.
-- Base: scenes/four-threads.sql
UPDATE operations SET grid_x = 4224, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 40 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 40 ms
