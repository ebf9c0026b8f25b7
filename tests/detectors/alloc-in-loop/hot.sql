-- A function that is called five times, 20 ms each: it allocates (2 ms), runs a kernel (10 ms), copies the
-- result out (3 ms) and frees when all is done (4 ms). Kept, the buffer saves four allocations and four
-- releases: 24 of 100 ms. The first allocation and the last release stay.
UPDATE rounds SET times = 5, ms = 20;
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 2);
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 72, 2, 2, 2, 12, NULL, NULL),
  ('d2h', 'pinned', 7, 73, 3, 15, 12, 15, 11000000, 61000000);
INSERT INTO made_by VALUES (73, 'cudaMemcpy');
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 15, 19);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
-- Found:
wall 99 ms, overlapped 0 ms, lost 24 (24 to 24) ms, replayed 99 ms
alloc-in-loop app.cu:70, 4 times, blocked 8 ms, lost 24 (24 to 24) ms
  at 20 ms for 2 ms: call 5
  at 40 ms for 2 ms: call 9
  at 60 ms for 2 ms: call 13
not seen: blocking-copy: 4 48
