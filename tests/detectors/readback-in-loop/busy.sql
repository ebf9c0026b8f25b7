-- As thread.sql, but the program's thread records an event at 5 or at 8 ms: it was not waiting. Nothing is found.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 10;
INSERT INTO threads VALUES (101, 'reader');
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 3, NULL, NULL FROM step;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 13, 41, at + 4, at + 5, at + 6, at + 7, 1000000, 60000000 FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 7, at + 8 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 9, at + 10 FROM step;
INSERT INTO call
  SELECT 'cudaEventRecord', 14, 5, 70, at + 5 + 3 * (i % 2), at + 6 + 3 * (i % 2) FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET thread_id = 101 WHERE site_id > 40 AND site_id < 70;
DROP TABLE step;
-- Found:
wall 189 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 189 ms
