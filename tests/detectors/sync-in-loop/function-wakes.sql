-- The same steps as function.sql, but the fifth step's next call comes 8 ms after the function's end: the thread took 3 ms
-- longer to wake up, or worked longer. Eight waits of 5 ms go, and these 3; the low end keeps the 3. At the high end the
-- tenth kernel ends at 60 ms instead of 117.
CREATE TEMP TABLE step AS SELECT n i, n * 12 + (n > 4) * 3 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 6, NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 1, at + 2 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 6, at + 7 FROM step;
UPDATE calls SET site_id = 41 WHERE site_id >= 50;
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1115000000, 70000000, 0, 20);
DROP TABLE step;
-- Found:
wall 117 ms, overlapped 0 ms, lost 43 (40 to 57) ms, replayed 117 ms
sync-in-loop app.cu:41, 9 times, blocked 45 ms, lost 43 (40 to 57) ms
  at 2 ms for 5 ms: call 3 operation 2 cause 1
  at 14 ms for 5 ms: call 5 operation 3 cause 2
  at 26 ms for 5 ms: call 7 operation 4 cause 3
sync-in-loop finds 9 waits, and 0 as replayed
