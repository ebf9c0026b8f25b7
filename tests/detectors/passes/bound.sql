-- The last three calls, which free memory behind all work, count in the bound of what the first pass
-- finds. What the second pass finds behind that adds to it, up to what the run has: never below.
INSERT INTO operation VALUES
  ('h2d', 'pinned',   13, 30,  0,  0,  0,  10,  1000000, 51000000),
  ('kernel', NULL,    13, 31,  0,  0, 10,  40, NULL, NULL),
  ('d2h', 'pageable', 13, 32,  0, 50, 40,  50, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 50, 50);
INSERT INTO operation VALUES
  ('h2d', 'pinned',   14, 30, 50, 50, 50,  60,  2000000, 52000000),
  ('kernel', NULL,    14, 31, 50, 50, 60,  90, NULL, NULL),
  ('kernel', NULL,    14, 34, 90, 90, 90,  95, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 90, 95);
INSERT INTO operation VALUES ('d2h', 'pageable', 14, 32, 95, 105, 95, 105, 12000000, 62000000);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 14, NULL, 33, 105, 105),
  ('cudaFree', NULL, NULL, 74, 105, 135),
  ('cudaFree', NULL, NULL, 74, 135, 165),
  ('cudaFree', NULL, NULL, 74, 165, 170);
-- Found:
wall 170 ms, overlapped 0 ms, lost 80 (0 to 90) ms, replayed 170 ms
free-sync app.cu:74, 1 times, blocked 5 ms, lost 60 (0 to 60) ms
  at 90 ms for 5 ms: call 8 operation 7 cause 6, other streams 5 ms
pageable-copy app.cu:32, 2 times, blocked 60 ms, lost 0 (0 to 20) ms
  50 ms move to finding 3
  at 0 ms for 50 ms: call 3 operation 3 cause 2, stream 40 ms, copy 10 ms
  at 95 ms for 10 ms: call 9 operation 7, copy 10 ms
sync-in-loop app.cu:33, 1 times, blocked 50 ms, lost 20 (0 to 20) ms, with the others fixed
  at 0 ms for 50 ms: call 4 operation 4 cause 3
not seen: pinned copies:
