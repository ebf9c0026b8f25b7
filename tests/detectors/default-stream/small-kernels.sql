-- Four kernels of one block, 7 ms each, in four blocking streams, and behind each a kernel of 1 ms in
-- the default stream, by arguments independent of all others: 32 ms. They fit beside each other: with
-- the tiny ones in a stream of their own (one after the other, for they write the same memory) the
-- run takes 7 ms.
-- Base: scenes/four-streams.sql
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 32 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 32 ms
default-stream app.cu:21, 7 times, blocked 76 ms, lost 25 (25 to 25) ms
  at 0 ms for 24 ms: operation 7 cause 6
  at 0 ms for 16 ms: operation 5 cause 4
  at 0 ms for 8 ms: operation 3 cause 2
