-- Near-miss: as signals.sql, but each kernel has a block for each place on the device (132 x 2).
-- What is left is the wait behind the copy: serial-stream.
-- Base: scenes/results.sql
INSERT INTO launch VALUES (1, 51000000, 51000000), (3, 52000000, 52000000);
UPDATE operations SET grid_x = 264, grid_y = 1, grid_z = 1, block_x = 1024, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0 WHERE kind = 1;
-- Found:
wall 22 ms, overlapped 0 ms, lost 1 (1 to 1) ms, replayed 22 ms
serial-stream app.cu:20, 1 times, blocked 1 ms, lost 1 (1 to 1) ms
  at 10 ms for 1 ms: operation 3 cause 2
