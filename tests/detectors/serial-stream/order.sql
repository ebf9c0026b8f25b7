-- One stream: a copy out (0 to 50 ms), a copy in of what it brought (50 to 60), and a copy in of
-- other memory (60 to 80). The last one finds its engine in use when its turn comes, and yet it
-- lost time: before, the engine was free for 49 ms. In a stream of its own it would have run from 1
-- to 21, and the run ended at 60 instead of 80.
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 20, 0, 0,  0, 50, 11000000, 61000000),
  ('h2d', 'pinned', 13, 21, 0, 0, 50, 60, 11000000, 62000000),
  ('h2d', 'pinned', 13, 22, 1, 1, 60, 80, 12000000, 63000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 80 ms
serial-stream app.cu:22, 1 times, blocked 49 ms, lost 20 (20 to 20) ms
  at 1 ms for 49 ms: operation 3 cause 2
