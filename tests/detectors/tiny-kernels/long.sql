-- As launches.sql, with kernels of 12 us each: the launches are ahead of them, and the device is never idle.
CREATE TEMP TABLE step AS SELECT n FROM number WHERE n < 5;
CREATE TABLE kernel AS SELECT 0 k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3;
INSERT INTO strings SELECT 10 + k, printf('_Z5step%dv', k) FROM kernel;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40 + k, n * 0.05 + k * 0.01, n * 0.05 + k * 0.01 + 0.006,
  0.008 + (4 * n + k) * 0.0125, 0.008 + (4 * n + k) * 0.0125 + 0.012, NULL, NULL
  FROM step, kernel ORDER BY n, k;
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE step;
DROP TABLE kernel;
-- Found:
wall 0.2575 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 0.2575 ms
