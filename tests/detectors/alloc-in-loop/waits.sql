-- As hot.sql, but each release waits for the copy out, 12 ms, and the host has 1 ms to read the result: the wait
-- is needed and stays, the rest of both calls goes. A round takes 2 + 1 + 15 + 1 + 1 ms.
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaMalloc', NULL, NULL, 70, 20 * n, 20 * n + 2 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 13, 73, 20 * n + 2, 20 * n + 2, 20 * n + 2, 20 * n + 15, 11000000, 61000000
  FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaFree', NULL, NULL, 74, 20 * n + 3, 20 * n + 19 FROM round;
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
