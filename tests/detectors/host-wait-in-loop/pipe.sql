-- As child.sql, but the thread reads a pipe: whose process is at the other end is not recorded.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'waiting for input', 103, 0, 10, 0, 0, 'pipe');
-- Found:
wall 83 ms, overlapped 0 ms, lost 64 (56 to 64) ms, replayed 83 ms
host-wait-in-loop /home/u/train.py:43, 8 times, blocked 56 ms, lost 56 (56 to 56) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 8 times, blocked 16 ms, lost 8 (0 to 8) ms, with the others fixed
  at 1 ms for 2 ms: operation 3 cause 2
  at 4 ms for 2 ms: operation 5 cause 4
  at 7 ms for 2 ms: operation 7 cause 6
  fix: the other one
