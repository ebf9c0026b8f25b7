-- As prepare.sql on 16 processors: four workers have batches 1 to 4 ready at 10 ms, and the others before they are wanted:
-- 10 + 8 x 3 = 34 of 83 ms. Three bring 47 ms, 95 % of the 49. The low end is for two of them: 37 ms.
-- Base: scenes/host-steps.sql
INSERT INTO metadata VALUES ('host_cpus', '16');
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (37 to 53) ms, replayed 83 ms
host-work /home/u/train.py:43, 8 times, blocked 56 ms, lost 47 (37 to 49) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 5 times, blocked 10 ms, lost 1 (0 to 2) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
