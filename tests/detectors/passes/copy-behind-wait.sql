-- Two chunks in two streams. Each copy out is to pageable memory and holds the host to its end, and
-- the synchronize after it has nothing left to wait for. Pinned memory alone saves nothing: the
-- synchronize then waits for the same. In the run without the first wait it is the limit: with both
-- out the second chunk's copy in runs from 10 to 20 ms, its kernel behind the first one's from 40 to
-- 70, its copy out to 80: 20 ms less.
INSERT INTO operation VALUES
  ('h2d', 'pinned',   13, 30,  0,  0,  0,  10,  1000000, 51000000),
  ('kernel', NULL,    13, 31,  0,  0, 10,  40, NULL, NULL),
  ('d2h', 'pageable', 13, 32,  0, 50, 40,  50, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 50, 50);
INSERT INTO operation VALUES
  ('h2d', 'pinned',   14, 30, 50, 50, 50,  60,  2000000, 52000000),
  ('kernel', NULL,    14, 31, 50, 50, 60,  90, NULL, NULL),
  ('d2h', 'pageable', 14, 32, 50, 100, 90, 100, 12000000, 62000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 14, NULL, 33, 100, 100);
-- Found:
wall 100 ms, overlapped 0 ms, lost 20 (0 to 30) ms, replayed 100 ms
pageable-copy app.cu:32, 2 times, blocked 100 ms, lost 0 (0 to 20) ms
  50 ms move to finding 2
  at 0 ms for 50 ms: call 3 operation 3 cause 2, stream 40 ms, copy 10 ms
  at 50 ms for 50 ms: call 7 operation 6 cause 5, stream 40 ms, copy 10 ms
sync-in-loop app.cu:33, 1 times, blocked 50 ms, lost 20 (0 to 20) ms, with the others fixed
  at 0 ms for 50 ms: call 4 operation 4 cause 3
not seen: pinned copies:
