-- cudaMemcpy brings each chunk back, and the host enqueues the next one at once: 80 ms. With the first
-- copy in its chunk's stream the second chunk's copy in runs from 10 to 20, its kernel from 30 to 50,
-- and the copy that ends the run from 50 to 60. Should the host read the first result, nothing is
-- saved. No work follows the second copy.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 60,  0,  0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 61,  0,  0, 10, 30, NULL, NULL),
  ('d2h', 'pinned',  7, 62,  0, 40, 30, 40, 11000000, 61000000),
  ('h2d', 'pinned', 14, 60, 40, 40, 40, 50, 2000000, 52000000),
  ('kernel', NULL,  14, 61, 40, 40, 50, 70, NULL, NULL),
  ('d2h', 'pinned',  7, 62, 40, 80, 70, 80, 12000000, 62000000);
INSERT INTO made_by VALUES (62, 'cudaMemcpy');
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (0 to 20) ms, replayed 80 ms
blocking-copy app.cu:62, 1 times, blocked 40 ms, lost 20 (0 to 20) ms
  at 0 ms for 40 ms: call 3 operation 4 cause 3, other streams 30 ms, copy 10 ms
