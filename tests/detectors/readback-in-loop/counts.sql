-- The same steps with four kernels of 2.5 ms each, of which one counts the steps: nine reads are found, as in steps.sql.
CREATE TEMP TABLE step AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
  SELECT i, i * 20 at FROM n;
CREATE TEMP TABLE quarter AS SELECT column1 q FROM (VALUES (0), (1), (2), (3));
INSERT INTO operation (what, stream, line, enter, leave, start, end)
  SELECT 'kernel', 13, 40 + q, at + q * 0.25, at + (q + 1) * 0.25, at + 1 + q * 2.5, at + 3.5 + q * 2.5
  FROM step, quarter ORDER BY at, q;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pageable', 13, 51, at + 1, at + 2, at + 11, at + 12, 1000000, 60000000 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 52, at + 2, at + 12 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET numbers = CASE site_id WHEN 40 THEN 1 + (start_ns - 1000000000) / 20000000 ELSE 7 END
  WHERE site_id BETWEEN 40 AND 43;
DROP TABLE step;
DROP TABLE quarter;
