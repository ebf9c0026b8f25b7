-- As prepares.sql, but NCCL makes the copies: what it sets up for itself is no batch.
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
SELECT * FROM (
  SELECT 'h2d', 'pinned', 13, 40, 6 * n at, 6 * n, 6 * n, 6 * n + 1, 1000000, 50000000 FROM s
  UNION ALL SELECT 'kernel', NULL, 13, 41, 6 * n, 6 * n, 6 * n + 1, 6 * n + 3, NULL, NULL FROM s)
ORDER BY at;
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO call (function, stream, line, enter, leave)
SELECT 'cudaStreamSynchronize', 13, 42, 6 * n, 6 * n + 3 FROM s;
INSERT INTO modules VALUES (9, '/usr/lib/libnccl.so.2', NULL);
UPDATE frames SET module_id = 9 WHERE site_id = 40;
