-- cudaMalloc takes long itself: 25 ms the second time. With one buffer for both chunks the second copy
-- runs from 6 to 16 ms, its kernel behind the first one from 35 to 45: 45 ms instead of 90. With
-- cudaFreeAsync instead of cudaFree alone, the copy runs from 31 to 41, its kernel until 51.
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 5);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 5, 5, 5, 35, NULL, NULL);
INSERT INTO call VALUES
  ('cudaFree', NULL, NULL, 74, 6, 35),
  ('cudaMalloc', NULL, NULL, 70, 35, 60);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 14, 71, 60, 60, 60, 70, 2000000, 52000000),
  ('kernel', NULL,  14, 72, 60, 60, 70, 80, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 61, 80);
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 73, 80, 80, 80, 90, 11000000, 62000000);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
-- Found:
wall 90 ms, overlapped 0 ms, lost 45 (39 to 45) ms, replayed 90 ms
free-sync app.cu:74, 2 times, blocked 48 ms, lost 45 (39 to 45) ms
  at 6 ms for 29 ms: call 3 operation 2 cause 1, other streams 29 ms
  at 61 ms for 19 ms: call 7 operation 4 cause 3, other streams 19 ms
