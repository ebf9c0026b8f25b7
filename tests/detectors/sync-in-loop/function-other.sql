-- As function-seen.sql, but the looks found the thread waiting behind the function's end, where it waits for something
-- else: only the work is found.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 6, NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 1, at + 2 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 6, at + 7 FROM step;
UPDATE calls SET site_id = 41 WHERE site_id >= 50;
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1187000000, 87000000, 0, 20);
DROP TABLE step;
UPDATE rounds SET times = 10, ms = 20;
INSERT INTO host_state VALUES (100, 'waiting for a thread', 44, 9, 14, 0, 0, NULL),
  (100, 'running', 45, 14, 20, 0, 0, NULL);
-- Found:
wall 186 ms, overlapped 0 ms, lost 111 (9 to 111) ms, replayed 186 ms
host-work app.cu:45, 9 times, blocked 126 ms, lost 111 (9 to 111) ms
  at 6 ms for 14 ms: call 3 operation 2
  at 26 ms for 14 ms: call 5 operation 3
  at 46 ms for 14 ms: call 7 operation 4
