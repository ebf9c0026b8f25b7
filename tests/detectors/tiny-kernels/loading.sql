-- The five times four launches of launches.sql, but the first launch takes 30 us more, in which it loads code. A graph's
-- first run does that, too: the first sequence stays as it is. The second one begins at 80 us, and as graphs the last
-- one begins at 80 + 3 x 16.5 and ends 10 us later: 129.5 us less than 269. At the low end it ends at
-- 80 + 3 x 16.8 + 2.8 + 2 + 4 + 3 = 142.2.
CREATE TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4) SELECT n FROM s;
CREATE TABLE kernel AS SELECT 0 k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3;
INSERT INTO strings SELECT 10 + k, printf('_Z5step%dv', k) FROM kernel;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 40 + k, at, at + 0.006, at + 0.008, at + 0.009
FROM (SELECT k, n * 0.05 + k * 0.01 at FROM step, kernel ORDER BY at);
UPDATE operations SET name_id = (SELECT site_id - 30 FROM calls c WHERE c.correlation_id = operations.correlation_id);
DROP TABLE step;
DROP TABLE kernel;
UPDATE calls SET start_ns = start_ns - 30000 WHERE id = 1;
INSERT INTO overheads (kind, start_ns, end_ns, thread_id)
SELECT 327680, start_ns + 1000, start_ns + 30000, thread_id FROM calls WHERE id = 1;
