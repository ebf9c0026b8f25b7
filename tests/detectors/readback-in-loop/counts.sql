-- The same steps with four kernels of 2.5 ms each, of which one counts the steps: nine reads are found, as in steps.sql.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 10;
CREATE TEMP TABLE quarter AS SELECT column1 q FROM (VALUES (0), (1), (2), (3));
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40 + q, at + q * 0.25, at + (q + 1) * 0.25, at + 1 + q * 2.5,
  at + 3.5 + q * 2.5, NULL, NULL FROM step, quarter ORDER BY at, q;
INSERT INTO operation
  SELECT 'd2h', 'pageable', 13, 51, at + 1, at + 2, at + 11, at + 12, 1000000, 60000000 FROM step;
INSERT INTO call SELECT 'cudaStreamSynchronize', 13, NULL, 52, at + 2, at + 12 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET numbers = CASE site_id WHEN 40 THEN 1 + (start_ns - 1000000000) / 20000000 ELSE 7 END
  WHERE site_id BETWEEN 40 AND 43;
INSERT INTO allocation VALUES (60000000, 1000000);
INSERT INTO launch SELECT id, 60000000, 60000000 FROM calls WHERE site_id BETWEEN 40 AND 43;
DROP TABLE step;
DROP TABLE quarter;
-- Found:
wall 192 ms, overlapped 0 ms, lost 90 (81 to 90) ms, replayed 192 ms
readback-in-loop app.cu:51, 10 times, blocked 110 ms, lost 90 (81 to 90) ms
  at 1 ms for 11 ms: call 6 operation 5 cause 5, stream 10 ms
  at 21 ms for 11 ms: call 12 operation 10 cause 10, stream 10 ms
  at 41 ms for 11 ms: call 18 operation 15 cause 15, stream 10 ms
not seen: sync-in-loop: 9 90
