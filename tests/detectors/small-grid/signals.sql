-- Two signals, each filtered by a kernel of 4 blocks (10 ms) and copied back (1 ms), in one stream. The second
-- kernel waited for the first copy, from 0 to 11 ms; in 10 of these the device ran the first kernel, which leaves
-- 128 multiprocessors. In streams of their own both kernels end at 10, and the second copy at 12: 10 of 22 ms.
-- Base: scenes/results.sql
INSERT INTO launch VALUES (1, 51000000, 51000000), (3, 52000000, 52000000);
UPDATE operations SET grid_x = 4, grid_y = 1, grid_z = 1, block_x = 1024, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0 WHERE kind = 1;
-- Found:
wall 22 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 22 ms
small-grid app.cu:20, 1 times, blocked 11 ms, lost 10 (10 to 10) ms
  at 0 ms for 11 ms: operation 3 cause 2
