-- The same steps as steps.sql, but each tells its kernel another number, as the value may have said: nothing is found.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 11, NULL, NULL FROM step;
INSERT INTO operation
  SELECT 'd2h', 'pageable', 13, 41, at + 1, at + 2, at + 11, at + 12, 1000000, 60000000 FROM step;
INSERT INTO call SELECT 'cudaStreamSynchronize', 13, NULL, 42, at + 2, at + 12 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET numbers = 1 + (start_ns - 1000000000) / 20000000 WHERE site_id = 40;
DROP TABLE step;
-- Found:
wall 192 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 192 ms
not seen: sync-in-loop: 9 90
