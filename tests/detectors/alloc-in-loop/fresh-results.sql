-- A function that is called four times, 30 ms each: it allocates (2 ms), sends its input with cudaMemcpy()
-- from pageable memory (1 ms of staging, 5 ms), runs a kernel (5 ms), copies the result to memory of its
-- own (5 ms, and 2 ms more until the rest is staged), and frees (2 ms). The host reads for 8 ms. Pinned, a
-- copy takes 2 ms (1 MB at 0.5 GB/s), starts at once and returns with its end: 4 ms less on the way in, 5
-- on the way out. Kept, the buffer saves three allocations and three releases: 4 x 9 + 3 x 4 = 48 of 112 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000'), ('pinned_d2h_bytes_per_s', '500000000');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 3)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaMalloc', NULL, NULL, 70, 30 * n, 30 * n + 2 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pageable', 7, 71, 30 * n + 2, 30 * n + 8, 30 * n + 3, 30 * n + 8, 1000000, 61000000
  FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 7, 72, 30 * n + 8, 30 * n + 8, 30 * n + 8, 30 * n + 13, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pageable', 7, 73, 30 * n + 8, 30 * n + 20, 30 * n + 13, 30 * n + 18, 11000000 + n * 1000000,
         61000000 FROM round;
INSERT INTO made_by VALUES (71, 'cudaMemcpy'), (73, 'cudaMemcpy');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 3)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaFree', NULL, NULL, 74, 30 * n + 20, 30 * n + 22 FROM round;
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
