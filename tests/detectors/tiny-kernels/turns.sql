-- Forty times a kernel of 1 us, 8 us behind its launch, and then, from another thread, 4 bytes in from pinned
-- memory and a host function in a stream of its own: a call each 20 us. They are one sequence, taken in four graphs
-- of 16 launches from the first copy on. Each takes 320 us, and 16 x 1.5 us as a graph.
CREATE TEMP TABLE step AS SELECT n i, n * 0.04 at FROM number WHERE n < 40;
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
wall 1.589 ms, overlapped 0 ms, lost 1.2505 (1.2436 to 1.2505) ms, replayed 1.59 ms
tiny-kernels app.cu:41, 4 times, blocked 1.236 ms, lost 1.214 (1.2032 to 1.214) ms
  at 0.02 ms for 0.309 ms: call 2 operation 17
  at 0.34 ms for 0.309 ms: call 34 operation 33
  at 0.66 ms for 0.309 ms: call 66 operation 49
tiny-kernels app.cu:40, 1 times, blocked 0.0505 ms, lost 0.0365 (0.0365 to 0.0365) ms, with the others fixed
  at 0 ms for 0.0505 ms: call 1 operation 19
