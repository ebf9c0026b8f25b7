-- The same in twenty steps, but in every other one the thread makes its next call at 4 ms, before the function's end.
-- What a thread does in nearly all steps it does for the function: nothing is found.
CREATE TEMP TABLE step AS SELECT n i, n * 12 at FROM number WHERE n < 20;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 6, NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 1, at + 2 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 6, at + 7 FROM step;
UPDATE calls SET site_id = 41 WHERE site_id >= 50;
INSERT INTO call SELECT 'cudaEventRecord', 13, 900, 42, at + 4, at + 4 FROM step WHERE i % 2;
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1235000000, 135000000, 0, 20);
DROP TABLE step;
-- Found:
wall 234 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 234 ms
