-- Two threads, each with two kernels of one block in the default stream, and a synchronize with it behind
-- each: 20 and 10 ms, 10 and 20 ms, 60 ms in all. Each synchronize waits for the other thread's kernel, too.
-- With a default stream for each thread it does not: both threads take 30 ms.
UPDATE devices SET compute_capability_major = 9, compute_capability_minor = 0, multiprocessors = 132,
  max_warps_per_multiprocessor = 64, max_blocks_per_multiprocessor = 32,
  max_shared_bytes_per_multiprocessor = 233472, max_registers_per_multiprocessor = 65536;
INSERT INTO threads VALUES (101, 'app');
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 7, 20, 0, 0,  0, 20, NULL, NULL),
  ('kernel', NULL, 7, 20, 0, 0, 20, 30, NULL, NULL);
INSERT INTO call (function, stream, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 7, 30, 0, 30), ('cudaStreamSynchronize', 7, 30, 0, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 7, 20, 30, 30, 30, 40, NULL, NULL),
  ('kernel', NULL, 7, 20, 30, 30, 40, 60, NULL, NULL);
INSERT INTO call (function, stream, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 7, 30, 30, 60), ('cudaStreamSynchronize', 7, 30, 30, 60);
INSERT INTO launch (call, reads, writes) VALUES
  (1, 51000000, 51000000), (2, 52000000, 52000000), (5, 51000000, 51000000), (6, 52000000, 52000000);
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
UPDATE calls SET thread_id = 100 + (id - 1) % 2;
