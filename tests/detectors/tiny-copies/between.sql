-- As fields.sql, but an event is recorded behind each fifth copy: something of the program's follows the pieces so far,
-- and no run has eight of them. No two copies have the same size, so that no graph takes them either.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '1000000000'), ('pinned_h2d_latency_ns', '0');
CREATE TEMP TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 2) SELECT n FROM s;
CREATE TEMP TABLE piece AS WITH RECURSIVE s(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM s WHERE k < 9) SELECT k FROM s;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
SELECT 'h2d', 'pinned', 13, 40, at, at + 0.01, at + 0.012, at + 0.013, 1000000 + k * 5000, 60000000 + k * 1000
FROM (SELECT k, n * 0.22 + k * 0.01 at FROM step, piece ORDER BY at);
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 50, n * 0.22 + 0.1, n * 0.22 + 0.11, n * 0.22 + 0.112, n * 0.22 + 0.212 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
SELECT 'cudaEventRecord', 13, 900 + k, 70, at + 0.01, at + 0.01
FROM (SELECT k, n * 0.22 + k * 0.01 at FROM step, piece WHERE k % 5 = 4);
UPDATE operations SET size_bytes = 1000 + id WHERE kind = 2;
UPDATE calls SET size_bytes = 1000 + id WHERE size_bytes IS NOT NULL;
