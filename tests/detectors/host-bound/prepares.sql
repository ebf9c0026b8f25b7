-- Five batches, each of them prepared by the host for 3 ms when the one before is done: copy 1 ms, kernel
-- 2 ms, 27 ms in all. Prepared by another thread meanwhile they follow each other at once: 5 x 3 = 15 ms.
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
SELECT * FROM (
  SELECT 'h2d', 'pinned', 13, 40, 6 * n at, 6 * n, 6 * n, 6 * n + 1, 1000000, 50000000 FROM s
  UNION ALL SELECT 'kernel', NULL, 13, 41, 6 * n, 6 * n, 6 * n + 1, 6 * n + 3, NULL, NULL FROM s)
ORDER BY at;
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO call (function, stream, line, enter, leave)
SELECT 'cudaStreamSynchronize', 13, 42, 6 * n, 6 * n + 3 FROM s;
