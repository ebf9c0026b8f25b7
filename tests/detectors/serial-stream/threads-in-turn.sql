-- Two threads, each with two kernels of one block in the default stream, and a synchronize with it behind
-- each: 20 and 10 ms, 10 and 20 ms, 60 ms in all. Each synchronize waits for the other thread's kernel, too.
-- With a default stream for each thread it does not: both threads take 30 ms.
-- Base: scenes/h100.sql
INSERT INTO threads VALUES (101, 'app');
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 20, 0, 0,  0, 20, NULL, NULL),
  ('kernel', NULL, 7, 20, 0, 0, 20, 30, NULL, NULL);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 7, NULL, 30, 0, 30),
  ('cudaStreamSynchronize', 7, NULL, 30, 0, 30);
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 20, 30, 30, 30, 40, NULL, NULL),
  ('kernel', NULL, 7, 20, 30, 30, 40, 60, NULL, NULL);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 7, NULL, 30, 30, 60),
  ('cudaStreamSynchronize', 7, NULL, 30, 30, 60);
INSERT INTO launch VALUES
  (1, 51000000, 51000000), (2, 52000000, 52000000), (5, 51000000, 51000000),
  (6, 52000000, 52000000);
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
UPDATE calls SET thread_id = 100 + (id - 1) % 2;
-- Found:
wall 60 ms, overlapped 0 ms, lost 30 (30 to 30) ms, replayed 60 ms
serial-stream app.cu:20, 2 times, blocked 30 ms, lost 30 (30 to 30) ms
  at 0 ms for 20 ms: operation 2 cause 1
  at 30 ms for 10 ms: operation 4 cause 3
sync-in-loop app.cu:30, 2 times, blocked 60 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 30 ms: call 3 operation 3 cause 2, stream 30 ms
  at 0 ms for 30 ms: call 3 operation 3 cause 2, stream 30 ms
