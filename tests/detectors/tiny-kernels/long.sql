-- As launches.sql, with kernels of 12 us each: the launches are ahead of them, and the device is never idle.
CREATE TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4) SELECT n FROM s;
CREATE TABLE kernel AS SELECT 0 k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3;
INSERT INTO strings SELECT 10 + k, printf('_Z5step%dv', k) FROM kernel;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 40 + k, n * 0.05 + k * 0.01, n * 0.05 + k * 0.01 + 0.006,
       0.008 + (4 * n + k) * 0.0125, 0.008 + (4 * n + k) * 0.0125 + 0.012
FROM step, kernel ORDER BY n, k;
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE step;
DROP TABLE kernel;
