-- Three chunks in two blocking streams, but the kernels run in the default stream: each stops the
-- copies. H2D and D2H take 10 ms, kernels 20. The run takes 100 ms; with the kernels in their
-- streams it would take 10 + 3 x 20 + 10 = 80.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 20, 0, 0,  0,  10, 1000000, 51000000),
  ('kernel', NULL,   7, 21, 0, 0, 10,  30, NULL, NULL),
  ('d2h', 'pinned', 13, 22, 0, 0, 30,  40, 11000000, 61000000),
  ('h2d', 'pinned', 14, 20, 0, 0, 30,  40, 2000000, 52000000),
  ('kernel', NULL,   7, 21, 0, 0, 40,  60, NULL, NULL),
  ('d2h', 'pinned', 14, 22, 0, 0, 60,  70, 12000000, 62000000),
  ('h2d', 'pinned', 13, 20, 0, 0, 60,  70, 3000000, 51000000),
  ('kernel', NULL,   7, 21, 0, 0, 70,  90, NULL, NULL),
  ('d2h', 'pinned', 13, 22, 0, 0, 90, 100, 13000000, 61000000);
