-- As collects.sql, but from 0 to 3 ms, while the GPU works: no idle time, no finding of it. These 3 ms stay with the
-- thread. Of the other 7 two workers or three make batches 1, 2 and 3 by 7 ms; with three the thread is never waited
-- for again, and the last batch is taken at 7 + 7 x 3 = 28: 83 - 31 = 52 ms less, with two 49. With one a step takes 7.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'collecting garbage', 103, 0, 3, 0, 0, NULL),
  (100, 'running', 101, 3, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 52 (24 to 52) ms, replayed 83 ms
host-work /home/u/train.py:44, 8 times, blocked 56 ms, lost 52 (24 to 52) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
