-- As turns.sql, but seven times, at no regular distance, the launching thread goes on 150 us later: the launches
-- still repeat. The way from thread to thread goes with the rest but for that before a graph.
CREATE TEMP TABLE step AS SELECT n i, n * 0.04 + 0.15 * ((n >= 3) + (n >= 8) + (n >= 11) + (n >= 17) + (n >= 20) + (n >= 27) + (n >= 29)) at FROM number WHERE n < 40;
INSERT INTO threads VALUES (101, 'copier');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT what, 'pinned', 13, line, at + later, at + later + 0.006, at + later + 0.008, at + later + 0.009,
         1000000, 60000000
  FROM (SELECT at, 'kernel' what, 40 line, 0 later FROM step UNION ALL SELECT at, 'h2d', 41, 0.02 FROM step
        ORDER BY 1, 4);
INSERT INTO call SELECT 'cudaLaunchHostFunc', 23, NULL, 50 + i, at + 0.027, at + 0.028 FROM step;
INSERT INTO call SELECT 'cudaEventRecord', 23, 5, 42, at + 0.0285, at + 0.029 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 0.03, at + 0.031 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
UPDATE calls SET thread_id = 101 WHERE site_id > 40;
DROP TABLE step;
-- Found:
wall 2.639 ms, overlapped 0 ms, lost 2.408 (2.391 to 2.408) ms, replayed 2.64 ms
tiny-kernels app.cu:40, 5 times, blocked 2.445 ms, lost 2.375 (2.3396 to 2.375) ms
  at 1.09 ms for 0.609 ms: call 65 operation 48
  at 1.71 ms for 0.609 ms: call 97 operation 64
  at 0 ms for 0.459 ms: call 1 operation 16
serial-stream app.cu:41, 40 times, blocked 0.0615 ms, lost 0.033 (0.033 to 0.033) ms, with the others fixed
  at 0.0025 ms for 0.003 ms: operation 2 cause 1
  at 0.169 ms for 0.003 ms: operation 18 cause 17
  at 0.007 ms for 0.0015 ms: operation 4 cause 3
