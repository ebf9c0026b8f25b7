-- Ten launches of 5 ms, each with a kernel of 3 ms that starts 6 ms after its call, and a synchronize of 8 ms
-- behind it, of which 4 are the way back. Without the first nine the host launches back to back: the last
-- kernel ends at 45 + 6 + 3 = 54 ms and the last synchronize at 58, instead of 130.
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 9)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 41, 13 * n, 13 * n + 5, 13 * n + 6, 13 * n + 9, NULL, NULL FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 9)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaDeviceSynchronize', NULL, NULL, 42, 13 * n + 5, 13 * n + 13 FROM step;
