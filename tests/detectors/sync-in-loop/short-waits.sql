-- As launch-bound.sql in microseconds: the waits take 4 us each, but the calls 8: it is not folded.
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 9)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 41, 0.001 * 13 * n, 0.001 * (13 * n + 5), 0.001 * (13 * n + 6), 0.001 * (13 * n + 9), NULL, NULL FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 9)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaDeviceSynchronize', NULL, NULL, 42, 0.001 * (13 * n + 5), 0.001 * (13 * n + 13) FROM step;
