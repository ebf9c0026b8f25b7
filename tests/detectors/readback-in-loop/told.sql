-- The same steps as steps.sql, but each tells its kernel another number, as the value may have said: nothing is found.
CREATE TEMP TABLE step AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
  SELECT i, i * 20 at FROM n;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
  SELECT 'kernel', 13, 40, at, at + 1, at + 1, at + 11 FROM step;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pageable', 13, 41, at + 1, at + 2, at + 11, at + 12, 1000000, 60000000 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 42, at + 2, at + 12 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET numbers = 1 + (start_ns - 1000000000) / 20000000 WHERE site_id = 40;
DROP TABLE step;
