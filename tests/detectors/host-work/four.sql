-- As prepare.sql, but of the first four gaps only is known what the thread did: four times are enough. Two workers have
-- batches 1 and 2 ready at 10 ms, 3 and 4 at 20; the others take the thread 10 ms each: 20 + 4 x 10 + 3 = 63 ms.
-- Base: scenes/host-steps.sql
UPDATE rounds SET times = 4;
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 20 (0 to 20) ms, replayed 83 ms
host-work /home/u/train.py:43, 4 times, blocked 28 ms, lost 20 (0 to 20) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
