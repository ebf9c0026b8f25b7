-- Near-miss: the same times, but the streams have a queue each: what held the second one back is not known.
-- Base: scenes/two-chains.sql
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0,
  channel_id = stream_id, channel_type = 1;
-- Found:
wall 50 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 50 ms
