-- Two streams with a chain of three kernels of one block each, 10 ms, and one hardware queue for both. The first
-- kernel of stream 24 comes behind the last of stream 23 in the queue and starts when that has started: at
-- 20 instead of 0 ms. With a queue each the chains run beside each other: 30 of 50 ms.
-- Base: scenes/two-chains.sql
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0,
  channel_id = 1, channel_type = 1;
-- Found:
wall 50 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 50 ms
queue-alias app.cu:21, 1 times, blocked 20 ms, lost 20 (20 to 20) ms
  at 0 ms for 20 ms: operation 4 cause 3
