-- Near-miss: the same with two buffers, 100 ms. Copies in still wait for the copy out of two tiles before,
-- but the kernels have no gaps.
-- Base: scenes/tile.sql
INSERT INTO call VALUES ('cudaEventRecord', 24, 3, 28, 0.875, 0.875);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 21, 1, 1, 10, 20, 2000000, 52000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 11, 22, 1.125, 1.125),
  ('cudaStreamWaitEvent', 23, 11, 23, 1.25, 1.25);
INSERT INTO operation VALUES ('kernel', NULL, 23, 24, 1.375, 1.375, 30, 50, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 12, 25, 1.5, 1.5),
  ('cudaStreamWaitEvent', 24, 12, 26, 1.625, 1.625);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 27, 1.75, 1.75, 50, 60, 12000000, 52000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 13, 28, 1.875, 1.875),
  ('cudaStreamWaitEvent', 13, 3, 20, 2, 2);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 21, 2.125, 2.125, 40, 50, 3000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 1, 22, 2.25, 2.25),
  ('cudaStreamWaitEvent', 23, 1, 23, 2.375, 2.375);
INSERT INTO operation VALUES ('kernel', NULL, 23, 24, 2.5, 2.5, 50, 70, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 2, 25, 2.625, 2.625),
  ('cudaStreamWaitEvent', 24, 2, 26, 2.75, 2.75);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 27, 2.875, 2.875, 70, 80, 13000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 3, 28, 3, 3),
  ('cudaStreamWaitEvent', 13, 13, 20, 3.125, 3.125);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 21, 3.25, 3.25, 60, 70, 4000000, 52000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 11, 22, 3.375, 3.375),
  ('cudaStreamWaitEvent', 23, 11, 23, 3.5, 3.5);
INSERT INTO operation VALUES ('kernel', NULL, 23, 24, 3.625, 3.625, 70, 90, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 12, 25, 3.75, 3.75),
  ('cudaStreamWaitEvent', 24, 12, 26, 3.875, 3.875);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 27, 4, 4, 90, 100, 14000000, 52000000);
INSERT INTO call VALUES ('cudaEventRecord', 24, 13, 28, 4.125, 4.125);
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO launch VALUES
  (4, 51000000, 51000000), (12, 52000000, 52000000), (21, 51000000, 51000000),
  (30, 52000000, 52000000);
-- Found:
wall 100 ms, overlapped 60 ms, lost 0 (0 to 0) ms, replayed 100 ms
single-buffer app.cu:21, 2 times, blocked 30 ms, lost 0 (0 to 0) ms, folded
  at 20 ms for 20 ms: operation 6 cause 4
  at 50 ms for 10 ms: operation 9 cause 7
