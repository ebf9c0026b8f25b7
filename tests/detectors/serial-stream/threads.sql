-- Four threads each launch a kernel of one block, 10 ms, in the default stream and wait for it: 40 ms.
-- By their arguments they are independent and they fit beside each other. With a default stream for
-- each thread the run takes 10 ms.
-- Base: scenes/four-threads.sql
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 40 ms, overlapped 0 ms, lost 30 (30 to 30) ms, replayed 40 ms
serial-stream app.cu:20, 3 times, blocked 60 ms, lost 30 (30 to 30) ms
  at 0 ms for 30 ms: operation 4 cause 3
  at 0 ms for 20 ms: operation 3 cause 2
  at 0 ms for 10 ms: operation 2 cause 1
