-- Near-miss: as small-kernels, but each kernel in a blocking stream fills the device (132 x 32 blocks), in
-- which they can only take turns. What the tiny ones take can run beside them, but nothing shows
-- that there was room.
-- Base: scenes/four-streams.sql
UPDATE operations SET grid_x = iif(stream_id = 7, 1, 4224), grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 32 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 32 ms
