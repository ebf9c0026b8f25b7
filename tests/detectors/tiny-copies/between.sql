-- As fields.sql, but an event is recorded behind each fifth copy: something of the program's follows the pieces so far,
-- and no run has eight of them. No two copies have the same size, so that no graph takes them either.
-- Base: scenes/fields.sql
UPDATE rounds SET times = 1;
INSERT INTO call
  SELECT 'cudaEventRecord', 13, 900 + k, 70, at + 0.01, at + 0.01
  FROM (SELECT k, n * 0.22 + k * 0.01 at FROM step, piece WHERE k % 5 = 4);
UPDATE operations SET size_bytes = 1000 + id WHERE kind = 2;
UPDATE calls SET size_bytes = 1000 + id WHERE size_bytes IS NOT NULL;
-- Found:
wall 0.652 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 0.652 ms
