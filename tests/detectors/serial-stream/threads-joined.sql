-- Two threads launch a kernel of one block, 10 ms, in the default stream. They are in their calls at the
-- same time: the one whose call began first (at 4) runs second. Each waits for its own, one of them a
-- millisecond longer. The main thread joins both and goes on a millisecond later, with a kernel of 2 ms:
-- 32 ms. With a default stream for each thread both kernels run from 8 on, both threads are joined by 19, and
-- the last kernel ends at 23. Beside that, the first synchronize comes before any result: 2 ms.
UPDATE devices SET compute_capability_major = 9, compute_capability_minor = 0, multiprocessors = 132,
  max_warps_per_multiprocessor = 64, max_blocks_per_multiprocessor = 32,
  max_shared_bytes_per_multiprocessor = 233472, max_registers_per_multiprocessor = 65536;
INSERT INTO threads VALUES (101, 'app'), (102, 'app');
INSERT INTO allocation (address, size) VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 7, 10,  0,  0,  0,  2, NULL, NULL),
  ('kernel', NULL, 7, 20,  4,  8, 18, 28, NULL, NULL),
  ('kernel', NULL, 7, 20,  5,  7,  8, 18, NULL, NULL),
  ('kernel', NULL, 7, 40, 29, 29, 30, 32, NULL, NULL);
INSERT INTO launch (call, reads, writes) VALUES
  (1, 51000000, 51000000), (2, 52000000, 52000000), (3, 53000000, 53000000), (4, 51000000, 51000000);
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
INSERT INTO call (function, stream, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 7, 11,  0,  2), ('cudaStreamSynchronize', 7, 30, 8, 28),
  ('cudaStreamSynchronize', 7, 30,  7, 19), ('cudaStreamSynchronize', 7, 41, 29, 32);
UPDATE calls SET thread_id = 101 WHERE id IN (2, 6);
UPDATE calls SET thread_id = 102 WHERE id IN (3, 7);
