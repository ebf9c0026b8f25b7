-- Ten steps of 12 ms: a kernel of 5 ms, and a host function behind it that ends at 7 ms. The thread enqueues the
-- function by 2 ms, sleeps, and makes its next call at 12 ms: it waits for 5 ms, and goes on 5 ms after the function's
-- end. Nothing follows the tenth step, and the ninth keeps its wait: eight waits of 5 ms go. A step then takes the host
-- 7 ms, and the device 6. At the high end what follows the function is no work either: the tenth kernel begins at 55
-- ms, 9 x 6 ms behind the first, and ends at 60 instead of 114.
CREATE TEMP TABLE step AS SELECT n i, n * 12 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 6, NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaLaunchHostFunc', 13, NULL, 50 + i, at + 1, at + 2 FROM step;
INSERT INTO host_function SELECT 50 + i, at + 6, at + 7 FROM step;
UPDATE calls SET site_id = 41 WHERE site_id >= 50;
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1115000000, 70000000, 0, 20);
DROP TABLE step;
-- Found:
wall 114 ms, overlapped 0 ms, lost 40 (40 to 54) ms, replayed 114 ms
sync-in-loop app.cu:41, 9 times, blocked 45 ms, lost 40 (40 to 54) ms
  at 2 ms for 5 ms: call 3 operation 2 cause 1
  at 14 ms for 5 ms: call 5 operation 3 cause 2
  at 26 ms for 5 ms: call 7 operation 4 cause 3
sync-in-loop finds 9 waits, and 0 as replayed
