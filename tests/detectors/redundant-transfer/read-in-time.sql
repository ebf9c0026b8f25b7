-- Near-miss: as unused.sql, but the kernel between the two copies reads what the first one brought.
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 1000000);
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pinned', 13, 30, 50 * n, 50 * n, 50 * n, 50 * n + 10, 1000000, 51000000 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 31, 50 * n, 50 * n, 50 * n + 10, 50 * n + 30, NULL, NULL FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pinned', 13, 32, 50 * n, 50 * n, 50 * n + 30, 50 * n + 40, 2000000, 51000000 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 33, 50 * n, 50 * n, 50 * n + 40, 50 * n + 50, NULL, NULL FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 34, 50 * n, 50 * n + 50 FROM step;
INSERT INTO launch (call, reads, writes) SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
INSERT INTO launch (call, reads, writes) SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 33;
UPDATE calls SET numbers = 2147483648 + id WHERE site_id IN (30, 32);
