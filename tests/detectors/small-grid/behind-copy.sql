-- Near-miss: a small kernel behind a long copy back of other memory (0 to 10 ms). No kernel runs meanwhile: that is
-- serial-stream.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 21, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 13, 20, 0, 0, 10, 20, NULL, NULL);
INSERT INTO launch VALUES (2, 52000000, 52000000);
UPDATE operations SET grid_x = 4, grid_y = 1, grid_z = 1, block_x = 1024, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0 WHERE kind = 1;
-- Found:
wall 20 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 20 ms
serial-stream app.cu:20, 1 times, blocked 10 ms, lost 10 (10 to 10) ms
  at 0 ms for 10 ms: operation 2 cause 1
