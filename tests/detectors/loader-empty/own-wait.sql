-- As queue.sql, but the queue is the program's own, and thread 200 runs Python meanwhile: the thread that makes the calls
-- waits in line 44, in code of the program's, so it is no thread of a framework's.
-- Base: scenes/host-steps.sql
INSERT INTO host_state VALUES (100, 'waiting for a thread', 101, 0, 10, 0, 0, NULL),
  (200, 'running', 100, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (37 to 53) ms, replayed 83 ms
loader-empty /home/u/train.py:44, 8 times, blocked 56 ms, lost 47 (37 to 49) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 5 times, blocked 10 ms, lost 1 (0 to 2) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
