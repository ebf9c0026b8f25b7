-- Three chunks in two blocking streams, but the kernels run in the default stream: each stops the
-- copies. H2D and D2H take 10 ms, kernels 20. The run takes 100 ms; with the kernels in their
-- streams it would take 10 + 3 x 20 + 10 = 80.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 20, 0, 0,  0,  10, 1000000, 51000000),
  ('kernel', NULL,   7, 21, 0, 0, 10,  30, NULL, NULL),
  ('d2h', 'pinned', 13, 22, 0, 0, 30,  40, 11000000, 61000000),
  ('h2d', 'pinned', 14, 20, 0, 0, 30,  40, 2000000, 52000000),
  ('kernel', NULL,   7, 21, 0, 0, 40,  60, NULL, NULL),
  ('d2h', 'pinned', 14, 22, 0, 0, 60,  70, 12000000, 62000000),
  ('h2d', 'pinned', 13, 20, 0, 0, 60,  70, 3000000, 51000000),
  ('kernel', NULL,   7, 21, 0, 0, 70,  90, NULL, NULL),
  ('d2h', 'pinned', 13, 22, 0, 0, 90, 100, 13000000, 61000000);
-- Found:
wall 100 ms, overlapped 20 ms, lost 20 (20 to 20) ms, replayed 100 ms
default-stream app.cu:21, 2 times, blocked 40 ms, lost 20 (20 to 20) ms
  at 10 ms for 20 ms: operation 4 cause 2
  at 40 ms for 20 ms: operation 7 cause 5
