-- As sleep.sql, but four times: enough. 4 x 5 = 20 ms less.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
UPDATE rounds SET times = 4;
INSERT INTO host_state VALUES (100, 'asleep', 103, 4, 9, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 83 ms
host-wait-in-loop /home/u/train.py:43, 4 times, blocked 20 ms, lost 20 (20 to 20) ms
  at 4 ms for 5 ms: call 3 operation 3
  at 14 ms for 5 ms: call 5 operation 5
  at 24 ms for 5 ms: call 7 operation 7
