-- As small-kernels, but two lines launch the tiny kernels in turn. A stream for one of them alone leaves the
-- other's between: the fix is one for both (the other streams do not block), and each line is said to
-- save what its own kernels delayed, up to the 25 ms that both do.
UPDATE devices SET compute_capability_major = 9, compute_capability_minor = 0, multiprocessors = 132,
  max_warps_per_multiprocessor = 64, max_blocks_per_multiprocessor = 32,
  max_shared_bytes_per_multiprocessor = 233472, max_registers_per_multiprocessor = 65536;
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (1, 15, 1, 0, 1500), (1, 16, 1, 0, 1600);
INSERT INTO allocation (address, size) VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (54000000, 1000000), (55000000, 1000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 20, 0, 0,  0,  7, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0,  7,  8, NULL, NULL),
  ('kernel', NULL, 14, 20, 0, 0,  8, 15, NULL, NULL),
  ('kernel', NULL,  7, 22, 0, 0, 15, 16, NULL, NULL),
  ('kernel', NULL, 15, 20, 0, 0, 16, 23, NULL, NULL),
  ('kernel', NULL,  7, 21, 0, 0, 23, 24, NULL, NULL),
  ('kernel', NULL, 16, 20, 0, 0, 24, 31, NULL, NULL),
  ('kernel', NULL,  7, 22, 0, 0, 31, 32, NULL, NULL);
INSERT INTO launch (call, reads, writes) VALUES
  (1, 51000000, 51000000), (2, 55000000, 55000000), (3, 52000000, 52000000), (4, 55000000, 55000000),
  (5, 53000000, 53000000), (6, 55000000, 55000000), (7, 54000000, 54000000), (8, 55000000, 55000000);
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
