-- The function ends 0 to 4.5 ms later than in function.sql, each time at another time of the step, and the next call comes when
-- it did. The time from the end to the call is any, from 0.5 to 5 ms: the end does not set the thread going. Nothing is found.
CREATE TEMP TABLE step AS SELECT n i, n * 12 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 6 + i / 2.0, NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 1, at + 2 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 6 + i / 2.0, at + 7 + i / 2.0 FROM step;
UPDATE calls SET site_id = 41 WHERE site_id >= 50;
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1215000000, 115000000, 0, 20);
DROP TABLE step;
-- Found:
wall 118.5 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 118.5 ms
