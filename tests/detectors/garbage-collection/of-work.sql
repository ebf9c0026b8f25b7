-- Python collects for 3 of the 10 ms in what line 44 calls, and runs that line in the others: who does the line's work
-- collects, too. There is no finding of the collections, and three workers save 47 ms, as in host-work/room.sql.
-- Base: scenes/host-steps.sql
INSERT INTO metadata VALUES ('host_cpus', '16');
INSERT INTO stack VALUES (103, 0, '/home/u/parse.py', 9, 'parse', NULL), (103, 1, '/home/u/train.py', 44, 'main', NULL);
INSERT INTO host_state VALUES (100, 'running', 101, 0, 4, 0, 0, NULL),
  (100, 'collecting garbage', 103, 4, 7, 0, 0, NULL),
  (100, 'running', 101, 7, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (37 to 53) ms, replayed 83 ms
host-work /home/u/train.py:44, 8 times, blocked 56 ms, lost 47 (37 to 49) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 5 times, blocked 10 ms, lost 1 (0 to 2) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
