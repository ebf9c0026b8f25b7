-- A function that is called four times, 30 ms each: it allocates (2 ms), sends its input with cudaMemcpy()
-- from pageable memory (1 ms of staging, 5 ms), runs a kernel (5 ms), copies the result to memory of its
-- own (5 ms, and 2 ms more until the rest is staged), and frees (2 ms). The host reads for 8 ms. Pinned, a
-- copy takes 2 ms (1 MB at 0.5 GB/s), starts at once and returns with its end: 4 ms less on the way in, 5
-- on the way out. Kept, the buffer saves three allocations and three releases: 4 x 9 + 3 x 4 = 48 of 112 ms.
INSERT INTO metadata VALUES
  ('pinned_h2d_bytes_per_s', '500000000'), ('pinned_d2h_bytes_per_s', '500000000');
UPDATE rounds SET times = 4, ms = 30;
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 2);
INSERT INTO operation VALUES
  ('h2d', 'pageable', 7, 71, 2, 8, 3, 8, 1000000, 61000000),
  ('kernel', NULL, 7, 72, 8, 8, 8, 13, NULL, NULL);
UPDATE rounds SET times = 1;
INSERT INTO operation
  SELECT 'd2h', 'pageable', 7, 73, 30 * n + 8, 30 * n + 20, 30 * n + 13, 30 * n + 18,
  11000000 + n * 1000000, 61000000 FROM number WHERE n < 4;
INSERT INTO made_by VALUES (71, 'cudaMemcpy'), (73, 'cudaMemcpy');
UPDATE rounds SET times = 4, ms = 30;
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 20, 22);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
-- Found:
wall 112 ms, overlapped 0 ms, lost 48 (42.2222 to 49.4546) ms, replayed 112 ms
pageable-blocking app.cu:73, 4 times, blocked 40 ms, lost 20 (19.1111 to 20.7273) ms
  at 8 ms for 10 ms: call 4 operation 3 cause 2, stream 5 ms, copy 5 ms
  at 38 ms for 10 ms: call 9 operation 6 cause 5, stream 5 ms, copy 5 ms
  at 68 ms for 10 ms: call 14 operation 9 cause 8, stream 5 ms, copy 5 ms
pageable-blocking app.cu:71, 4 times, blocked 24 ms, lost 16 (11.1111 to 16.7273) ms
  at 2 ms for 6 ms: call 2 operation 1, copy 5 ms
  at 32 ms for 6 ms: call 7 operation 4, copy 5 ms
  at 62 ms for 6 ms: call 12 operation 7, copy 5 ms
alloc-in-loop app.cu:70, 3 times, blocked 6 ms, lost 12 (12 to 12) ms
  at 30 ms for 2 ms: call 6
  at 60 ms for 2 ms: call 11
  at 90 ms for 2 ms: call 16
