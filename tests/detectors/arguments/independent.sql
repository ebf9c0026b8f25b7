-- Two chunks step by step: both copies in, both kernels, both copies back, 80 ms. By the arguments of
-- its launch the first kernel needs the first copy alone, and could have begun at 10 ms; the second
-- one's results do not come from the first. With streams: copies in to 20, kernels 10 to 50, copies
-- back 30 to 40 and 50 to 60: 60 ms.
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000), (62000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,  13, 31, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL,  13, 31, 0, 0, 40, 60, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 60, 70, 11000000, 61000000),
  ('d2h', 'pinned', 13, 32, 0, 0, 70, 80, 12000000, 62000000);
INSERT INTO launch VALUES (3, 51000000, 61000000), (4, 52000000, 62000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 80 ms
serial-stream app.cu:32, 1 times, blocked 20 ms, lost 10 (10 to 10) ms
  at 40 ms for 20 ms: operation 5 cause 4
serial-stream app.cu:31, 1 times, blocked 10 ms, lost 10 (10 to 10) ms
  at 10 ms for 10 ms: operation 3 cause 2
