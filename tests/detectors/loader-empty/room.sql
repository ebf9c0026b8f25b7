-- As queue.sql, on six processors: two threads run meanwhile, which may be the workers. The room of four does for two times
-- as many in addition: three times as many, as queue.sql's estimate. For four times as many there is none.
-- Base: loader-empty/queue.sql
INSERT INTO metadata VALUES ('host_cpus', '6');
INSERT INTO host_state VALUES (200, 'running', NULL, 0, 10, 0, 0, NULL), (300, 'running', NULL, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (37 to 48) ms, replayed 83 ms
loader-empty /home/u/train.py:43, 8 times, blocked 56 ms, lost 47 (37 to 47) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 5 times, blocked 10 ms, lost 1 (0 to 1) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
