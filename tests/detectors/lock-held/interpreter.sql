-- The thread waits for the interpreter for 4 of the 10 ms, from 5 ms on, while thread 200 runs Python. Without
-- that a step takes 6 ms: 8 x 4 = 32 ms less. Line 44 runs in the others, as in garbage-collection/collects.sql.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'running', 101, 0, 5, 0, 0, NULL),
  (100, 'waiting for the interpreter', 103, 5, 9, 0, 0, NULL),
  (100, 'running', 101, 9, 10, 0, 0, NULL),
  (200, 'running', 100, 5, 9, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 54 (32 to 54) ms, replayed 83 ms
host-work /home/u/train.py:44, 8 times, blocked 24 ms, lost 46 (32 to 46) ms
  at 3 ms for 3 ms: call 3 operation 3
  at 13 ms for 3 ms: call 5 operation 5
  at 23 ms for 3 ms: call 7 operation 7
lock-held /home/u/train.py:43, 8 times, blocked 32 ms, lost 32 (32 to 32) ms
  in the order of the list: 7 ms
  at 5 ms for 4 ms: call 3 operation 3
  at 15 ms for 4 ms: call 5 operation 5
  at 25 ms for 4 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 4 times, blocked 8 ms, lost 1 (0 to 1) ms, with the others fixed
  at 7 ms for 2 ms: operation 5 cause 4
  at 13 ms for 2 ms: operation 9 cause 8
  at 19 ms for 2 ms: operation 13 cause 12
  fix: the other one
