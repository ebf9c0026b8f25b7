-- The same steps as function.sql, but the first is followed by 50 ms of work: it counts as a step that waits, and keeps its time.
-- Of the other eight the last keeps its wait: 35 ms. At the high end the second kernel begins at 63 ms, the
-- tenth 8 x 6 ms later, and ends at 116 instead of 164.
CREATE TEMP TABLE step AS SELECT n i, n * 12 + (n > 0) * 50 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 6, NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 1, at + 2 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 6, at + 7 FROM step;
UPDATE calls SET site_id = 41 WHERE site_id >= 50;
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1165000000, 115000000, 0, 20);
DROP TABLE step;
-- Found:
wall 164 ms, overlapped 0 ms, lost 35 (35 to 48) ms, replayed 164 ms
sync-in-loop app.cu:41, 8 times, blocked 40 ms, lost 35 (35 to 48) ms
  at 64 ms for 5 ms: call 5 operation 3 cause 2
  at 76 ms for 5 ms: call 7 operation 4 cause 3
  at 88 ms for 5 ms: call 9 operation 5 cause 4
sync-in-loop finds 8 waits, and 0 as replayed
