-- Two streams with a chain of three kernels of one block each, 10 ms, and one hardware queue for both. The first
-- kernel of stream 24 comes behind the last of stream 23 in the queue and starts when that has started: at
-- 20 instead of 0 ms. With a queue each the chains run beside each other: 30 of 50 ms.
UPDATE devices SET compute_capability_major = 9, compute_capability_minor = 0, multiprocessors = 132,
  max_warps_per_multiprocessor = 64, max_blocks_per_multiprocessor = 32,
  max_shared_bytes_per_multiprocessor = 233472, max_registers_per_multiprocessor = 65536;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 23, 20, 0, 0,  0, 10, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 10, 20, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 30, 40, NULL, NULL),
  ('kernel', NULL, 24, 21, 0, 0, 40, 50, NULL, NULL);
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0,
  channel_id = 1, channel_type = 1;
