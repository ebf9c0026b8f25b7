-- Near-miss: a small kernel behind a long copy back of other memory (0 to 10 ms). No kernel runs meanwhile: that is
-- serial-stream.
UPDATE devices SET compute_capability_major = 9, compute_capability_minor = 0, multiprocessors = 132,
  max_warps_per_multiprocessor = 64, max_blocks_per_multiprocessor = 32,
  max_shared_bytes_per_multiprocessor = 233472, max_registers_per_multiprocessor = 65536;
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 13, 21, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 13, 20, 0, 0, 10, 20, NULL, NULL);
INSERT INTO launch (call, reads, writes) VALUES (2, 52000000, 52000000);
UPDATE operations SET grid_x = 4, grid_y = 1, grid_z = 1, block_x = 1024, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0 WHERE kind = 1;
