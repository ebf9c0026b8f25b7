-- A buffer for each chunk: cudaMalloc takes 1 ms, cudaFree waits for the chunk. Three chunks: 123 ms.
-- With the first buffer kept, cudaFree at the end alone, and the second cudaMalloc gone: the copies in
-- run from 1, 11 and 41 (behind the first chunk in its stream), the last kernel from 51 to 71, and the
-- run ends at 81. The last cudaFree costs nothing: no work follows it.
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 1);
INSERT INTO chunk VALUES (1, 1, 13, 71, 1, 1, 11, 31);
INSERT INTO call VALUES
  ('cudaFree', NULL, NULL, 74, 2, 41),
  ('cudaMalloc', NULL, NULL, 70, 41, 42);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 14, 71, 42, 42, 42, 52, 2000000, 52000000),
  ('kernel', NULL,  14, 72, 42, 42, 52, 72, NULL, NULL),
  ('d2h', 'pinned', 14, 73, 42, 42, 72, 82, 12000000, 61000000);
INSERT INTO call VALUES
  ('cudaFree', NULL, NULL, 74, 43, 82),
  ('cudaMalloc', NULL, NULL, 70, 82, 83);
INSERT INTO chunk VALUES (3, 1, 13, 71, 83, 83, 93, 113);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 84, 123);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
-- Found:
wall 123 ms, overlapped 0 ms, lost 42 (0 to 42) ms, replayed 123 ms
free-sync app.cu:74, 2 times, blocked 78 ms, lost 42 (0 to 42) ms
  at 2 ms for 39 ms: call 5 operation 4 cause 3, other streams 39 ms
  at 43 ms for 39 ms: call 10 operation 7 cause 6, other streams 39 ms
