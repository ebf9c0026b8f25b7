-- The thread sleeps for 5 of the 10 ms, in line 43, from 4 ms on: the GPU is idle for all of these. Without
-- them a step takes 5 ms: 8 x 5 = 40 ms less. Line 44 runs in the others: with a worker for these a step takes 5 ms, too.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'running', 101, 0, 4, 0, 0, NULL),
  (100, 'asleep', 103, 4, 9, 0, 0, NULL),
  (100, 'running', 101, 9, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 40 (40 to 54) ms, replayed 83 ms
host-wait-in-loop /home/u/train.py:43, 8 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 4 ms for 5 ms: call 3 operation 3
  at 14 ms for 5 ms: call 5 operation 5
  at 24 ms for 5 ms: call 7 operation 7
host-work /home/u/train.py:44, 8 times, blocked 16 ms, lost 40 (40 to 40) ms
  in the order of the list: 0 ms
  at 3 ms for 2 ms: call 3 operation 3
  at 13 ms for 2 ms: call 5 operation 5
  at 23 ms for 2 ms: call 7 operation 7
