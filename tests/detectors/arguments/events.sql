-- The same weights for two kernels in two streams, which wait for their H2D copy by an event; each
-- kernel has its chunk. The second kernel waits in its stream for the H2D copy of a third chunk, which it
-- does not read: its engine is free from 20 ms, and it waits until 50. The weights are only read, so the
-- kernels do not wait for each other.
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (61000000, 1000000),
  (62000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 24, 31, 2, 2, 10, 20, 2000000, 52000000),
  ('h2d', 'pinned', 24, 32, 2, 2, 20, 50, 3000000, 53000000),
  ('kernel', NULL,  23, 33, 3, 3, 10, 20, NULL, NULL),
  ('kernel', NULL,  24, 34, 3, 3, 50, 70, NULL, NULL);
INSERT INTO launch VALUES (4, 51000000, 61000000), (5, 51000000, 62000000);
INSERT INTO event_wait VALUES (23, 35, 1, 24, 36, 1.5);
-- Found:
wall 70 ms, overlapped 10 ms, lost 20 (20 to 20) ms, replayed 70 ms
serial-stream app.cu:34, 1 times, blocked 30 ms, lost 20 (20 to 20) ms
  at 20 ms for 30 ms: operation 5 cause 4
