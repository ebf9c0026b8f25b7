-- As sleep.sql, but the thread sleeps from 0 to 3 ms, while the GPU works: no idle time, no finding of it. The
-- 3 ms stay with the thread, as in garbage-collection/behind-gpu.sql.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'asleep', 103, 0, 3, 0, 0, NULL),
  (100, 'running', 101, 3, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 52 (24 to 52) ms, replayed 83 ms
host-work /home/u/train.py:44, 8 times, blocked 56 ms, lost 52 (24 to 52) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
