-- As launches.sql, but the host waits after two kernels of each step, from 17 us to 20 us: a graph from behind
-- the wait up to the next one, of two kernels of this step and two of the next. The wait then ends 11 us behind
-- the one before (2.5 + 2 + 4 + 3 x 0.5 + 1) and not 50: 4 x 39 us less.
CREATE TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4) SELECT n FROM s;
CREATE TABLE kernel AS SELECT 0 k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3;
INSERT INTO strings SELECT 10 + k, printf('_Z5step%dv', k) FROM kernel;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 40 + k, at, at + 0.006, at + 0.008, at + 0.009
FROM (SELECT k, n * 0.05 + k * 0.01 at FROM step, kernel ORDER BY at);
INSERT INTO call (function, stream, line, enter, leave)
SELECT 'cudaStreamSynchronize', 13, 50, n * 0.05 + 0.017, n * 0.05 + 0.02 FROM step;
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE step;
DROP TABLE kernel;
