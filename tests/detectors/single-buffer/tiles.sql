-- Four tiles through one device buffer, in place: copied in (10 ms, stream 13), computed (20 ms, stream 23),
-- copied out (10 ms, stream 24). Each copy in waits, by an event, for the copy out before it: 4 x 40 = 160 ms.
-- With two buffers the kernels follow each other: 10 + 4 x 20 + 10 = 100 ms.
-- Base: scenes/tile.sql
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 3, 28, 0.875, 0.875),
  ('cudaStreamWaitEvent', 13, 3, 20, 1, 1);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 21, 1.125, 1.125, 40, 50, 2000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 1, 22, 1.25, 1.25),
  ('cudaStreamWaitEvent', 23, 1, 23, 1.375, 1.375);
INSERT INTO operation VALUES ('kernel', NULL, 23, 24, 1.5, 1.5, 50, 70, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 2, 25, 1.625, 1.625),
  ('cudaStreamWaitEvent', 24, 2, 26, 1.75, 1.75);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 27, 1.875, 1.875, 70, 80, 12000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 3, 28, 2, 2),
  ('cudaStreamWaitEvent', 13, 3, 20, 2.125, 2.125);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 21, 2.25, 2.25, 80, 90, 3000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 1, 22, 2.375, 2.375),
  ('cudaStreamWaitEvent', 23, 1, 23, 2.5, 2.5);
INSERT INTO operation VALUES ('kernel', NULL, 23, 24, 2.625, 2.625, 90, 110, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 2, 25, 2.75, 2.75),
  ('cudaStreamWaitEvent', 24, 2, 26, 2.875, 2.875);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 27, 3, 3, 110, 120, 13000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 3, 28, 3.125, 3.125),
  ('cudaStreamWaitEvent', 13, 3, 20, 3.25, 3.25);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 21, 3.375, 3.375, 120, 130, 4000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 1, 22, 3.5, 3.5),
  ('cudaStreamWaitEvent', 23, 1, 23, 3.625, 3.625);
INSERT INTO operation VALUES ('kernel', NULL, 23, 24, 3.75, 3.75, 130, 150, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 2, 25, 3.875, 3.875),
  ('cudaStreamWaitEvent', 24, 2, 26, 4, 4);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 27, 4.125, 4.125, 150, 160, 14000000, 51000000);
INSERT INTO call VALUES ('cudaEventRecord', 24, 3, 28, 4.25, 4.25);
INSERT INTO allocation VALUES (51000000, 1000000);
INSERT INTO launch VALUES
  (4, 51000000, 51000000), (13, 51000000, 51000000), (22, 51000000, 51000000),
  (31, 51000000, 51000000);
-- Found:
wall 160 ms, overlapped 0 ms, lost 60 (60 to 60) ms, replayed 160 ms
single-buffer app.cu:21, 3 times, blocked 90 ms, lost 60 (60 to 60) ms
  at 10 ms for 30 ms: operation 4 cause 3
  at 50 ms for 30 ms: operation 7 cause 6
  at 90 ms for 30 ms: operation 10 cause 9
