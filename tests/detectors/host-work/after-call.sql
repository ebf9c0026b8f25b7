-- As prepare.sql on 16 processors, with another kernel of 1 ms at 8 ms in each step but the last. The looks at 0 and 5 ms
-- found line 43; what the thread does behind that kernel's call, from 8 to 10 ms, nobody has seen: it stays with the
-- thread. Two workers make a batch for each 4 ms that the GPU works: it is idle from 3 to 8 ms and from 9 to 10, and never
-- again: 10 + 8 x 3 + 7 x 1 = 41 of 83 ms, the high end. The estimate is the GPU's idle time before the second kernels.
-- Base: scenes/host-steps.sql
INSERT INTO metadata VALUES ('host_cpus', '16');
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 8, 8, 8, 9, NULL, NULL);
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 42.9965 (13.9974 to 42.9965) ms, replayed 83 ms
host-work /home/u/train.py:43, 8 times, blocked 40 ms, lost 40 (14 to 42) ms
  at 3 ms for 5 ms: call 3 operation 3
  at 13 ms for 5 ms: call 6 operation 6
  at 23 ms for 5 ms: call 9 operation 9
tiny-kernels /home/u/train.py:40, 8 times, blocked 72 ms, lost 1.9905 (0 to 1.9905) ms, with the others fixed
  at 0 ms for 9 ms: call 1 operation 3
  at 10 ms for 9 ms: call 4 operation 6
  at 20 ms for 9 ms: call 7 operation 9
serial-stream /home/u/train.py:40, 6 times, blocked 8.0035 ms, lost 1.006 (0 to 1.006) ms, with the others fixed
  at 36.005 ms for 2.0045 ms: operation 25 cause 24
  at 28.0075 ms for 2 ms: operation 19 cause 18
  at 20.0075 ms for 1.998 ms: operation 13 cause 12
  fix: the other one
