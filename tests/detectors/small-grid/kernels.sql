-- Five kernels of one thread in one stream, 10 ms each, by their arguments independent. The first three
-- have 200 blocks of 1024 threads each, and 264 fit on the device: in streams of their own they would
-- still take turns. The last two have one block each, and fit beside any of them: 30 of 50 ms are
-- enough. The bound counts 0.94 of the first three (200/264 x (2 - 200/264)): 28.2 ms. The low end is 0: each of the
-- last two shares a multiprocessor with a block of the first three, which may take as much longer.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (54000000, 1000000),
  (55000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 20, 0, 0,  0, 10, NULL, NULL),
  ('kernel', NULL, 13, 20, 0, 0, 10, 20, NULL, NULL),
  ('kernel', NULL, 13, 20, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 13, 21, 0, 0, 30, 40, NULL, NULL),
  ('kernel', NULL, 13, 22, 0, 0, 40, 50, NULL, NULL);
INSERT INTO launch VALUES
  (1, 51000000, 51000000), (2, 52000000, 52000000), (3, 53000000, 53000000),
  (4, 54000000, 54000000), (5, 55000000, 55000000);
UPDATE operations SET grid_x = iif(start_ns < 1030000000, 200, 1), grid_y = 1, grid_z = 1,
  block_x = 1024, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 50 ms, overlapped 0 ms, lost 20 (0 to 20) ms, replayed 50 ms
small-grid app.cu:22, 2 times, blocked 70 ms, lost 20 (0 to 20) ms
  site app.cu:22, 1 times, blocked 40 ms
  site app.cu:21, 1 times, blocked 30 ms
  at 0 ms for 40 ms: operation 5 cause 4
  at 0 ms for 30 ms: operation 4 cause 3
