-- As prepare.sql on four processors, of which another thread of the program uses one all the time: two workers have room
-- beside it and this thread, as in quota.sql.
-- Base: scenes/host-steps.sql
INSERT INTO metadata VALUES ('host_cpus', '4');
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 0, NULL), (200, 'running', NULL, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 38 (0 to 38) ms, replayed 83 ms
host-work /home/u/train.py:43, 8 times, blocked 56 ms, lost 37 (0 to 37) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 4 times, blocked 8 ms, lost 1 (0 to 1) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 21 ms for 2 ms: operation 9 cause 8
  at 31 ms for 2 ms: operation 13 cause 12
  fix: the other one
