-- Steps of 20 ms: the thread's next call comes 13 ms after the function's end and 18 after the call before. It may have
-- worked all the time: nothing is found.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 6, NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 1, at + 2 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 6, at + 7 FROM step;
UPDATE calls SET site_id = 41 WHERE site_id >= 50;
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1187000000, 87000000, 0, 20);
DROP TABLE step;
-- Found:
wall 186 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 186 ms
