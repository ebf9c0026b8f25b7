-- As turns.sql, but seven times, at no regular distance, the launching thread goes on 150 us later: the launches
-- still repeat. The way from thread to thread goes with the rest but for that before a graph.
CREATE TEMP TABLE step AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 39)
  SELECT i, i * 0.04 + 0.15 * ((i >= 3) + (i >= 8) + (i >= 11) + (i >= 17) + (i >= 20) + (i >= 27) + (i >= 29)) at FROM n;
INSERT INTO threads VALUES (101, 'copier');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT what, 'pinned', 13, line, at + later, at + later + 0.006, at + later + 0.008, at + later + 0.009,
         1000000, 60000000
  FROM (SELECT at, 'kernel' what, 40 line, 0 later FROM step UNION ALL SELECT at, 'h2d', 41, 0.02 FROM step
        ORDER BY 1, 4);
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaLaunchHostFunc', 23, NULL, 50 + i, at + 0.027, at + 0.028 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventRecord', 23, 5, 42, at + 0.0285, at + 0.029 FROM step;
INSERT INTO host_function (line, start, end) SELECT 50 + i, at + 0.03, at + 0.031 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET thread_id = 101 WHERE site_id > 40;
DROP TABLE step;
