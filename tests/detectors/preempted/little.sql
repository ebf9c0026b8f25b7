-- As crowded.sql, but without a processor for 4 of the 10 ms, and the line's own work is 6: two workers bring 46 ms, as
-- in garbage-collection/collects.sql, and a processor 8 x 4 = 32.
-- Base: scenes/host-steps.sql
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 4, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 54 (32 to 54) ms, replayed 83 ms
host-work /home/u/train.py:43, 8 times, blocked 33.6 ms, lost 46 (32 to 46) ms
  at 3 ms for 4.2 ms: call 3 operation 3
  at 13 ms for 4.2 ms: call 5 operation 5
  at 23 ms for 4.2 ms: call 7 operation 7
preempted /home/u/train.py:43, 8 times, blocked 22.4 ms, lost 32 (32 to 32) ms
  in the order of the list: 7 ms
  at 3 ms for 2.8 ms: call 3 operation 3
  at 13 ms for 2.8 ms: call 5 operation 5
  at 23 ms for 2.8 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 4 times, blocked 8 ms, lost 1 (0 to 1) ms, with the others fixed
  at 7 ms for 2 ms: operation 5 cause 4
  at 13 ms for 2 ms: operation 9 cause 8
  at 19 ms for 2 ms: operation 13 cause 12
  fix: the other one
