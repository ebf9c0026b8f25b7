-- Near-miss: as control.sql, but beside the large kernels that line launches 28 more in a stream of its own that find
-- room at once: three of 31 wait.
-- Base: scenes/h100.sql
INSERT INTO threads VALUES (101, 'app');
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 20, 0, 0,  0, 20, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL, 23, 20, 0, 0, 40, 60, NULL, NULL),
  ('kernel', NULL, 24, 30, 1, 1, 19, 20, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 1, 1, 20, 20.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 21, 21, 39, 40, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 21, 21, 40, 40.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 41, 41, 59, 60, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 41, 41, 60, 60.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 61, 61, 61, 62, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 61, 61, 62, 62.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 63, 63, 63, 64, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 63, 63, 64, 64.5, 11000000, 61000000),
  ('kernel', NULL, 24, 30, 65, 65, 65, 66, NULL, NULL),
  ('d2h', 'pinned', 24, 31, 65, 65, 66, 66.5, 11000000, 61000000);
UPDATE rounds SET times = 28, ms = 0.5;
INSERT INTO operation VALUES ('kernel', NULL, 25, 30, 41, 41, 41, 41.4, NULL, NULL);
UPDATE rounds SET times = 1;
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 24, NULL, 32, 1, 20.5),
  ('cudaStreamSynchronize', 24, NULL, 32, 21, 40.5),
  ('cudaStreamSynchronize', 24, NULL, 32, 41, 60.5),
  ('cudaStreamSynchronize', 24, NULL, 32, 61, 62.5),
  ('cudaStreamSynchronize', 24, NULL, 32, 63, 64.5),
  ('cudaStreamSynchronize', 24, NULL, 32, 65, 66.5);
UPDATE operations SET grid_x = iif(stream_id = 23, 82368, 1), grid_y = 1, grid_z = 1,
  block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0 WHERE kind = 1;
UPDATE calls SET thread_id = 101 WHERE site_id >= 30;
-- Found:
wall 66.5 ms, overlapped 1 ms, lost 6.49858 (0 to 6.49858) ms, replayed 69.8 ms
sync-in-loop app.cu:32, 1 times, blocked 19.5 ms, lost 6.49858 (0 to 6.49858) ms
  at 1 ms for 19.5 ms: call 6 operation 5 cause 4, stream 19.5 ms
not seen: sync-in-loop: 4 42
