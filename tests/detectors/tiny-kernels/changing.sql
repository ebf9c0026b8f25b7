-- As launches.sql, with another grid in each step: no two steps are the same.
CREATE TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4) SELECT n FROM s;
CREATE TABLE kernel AS SELECT 0 k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3;
INSERT INTO strings SELECT 10 + k, printf('_Z5step%dv', k) FROM kernel;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 40 + k, at, at + 0.006, at + 0.008, at + 0.009
FROM (SELECT k, n * 0.05 + k * 0.01 at FROM step, kernel ORDER BY at);
UPDATE operations SET grid_x = id, grid_y = 1, grid_z = 1;
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE step;
DROP TABLE kernel;
