-- As thread.sql, but the program's thread records an event at 5 or at 8 ms: it was not waiting. Nothing is found.
CREATE TEMP TABLE step AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
  SELECT i, i * 20 at FROM n;
INSERT INTO threads VALUES (101, 'reader');
INSERT INTO operation (what, stream, line, enter, leave, start, end)
  SELECT 'kernel', 13, 40, at, at + 1, at + 1, at + 3 FROM step;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 13, 41, at + 4, at + 5, at + 6, at + 7, 1000000, 60000000 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 7, at + 8 FROM step;
INSERT INTO host_function (line, start, end) SELECT 50 + i, at + 9, at + 10 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventRecord', 14, 5, 70, at + 5 + 3 * (i % 2), at + 6 + 3 * (i % 2) FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET thread_id = 101 WHERE site_id > 40 AND site_id < 70;
DROP TABLE step;
