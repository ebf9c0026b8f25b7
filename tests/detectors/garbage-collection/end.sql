-- Python collects for 10 ms behind each step, and for 40 behind the last one: there the call that follows is in another
-- function, which called main(). Without the collections: 9 x 3 = 27 of 120 ms. With the last one it would be 40.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (40, 1, '/home/u/run.py', 16, 'run', NULL), (41, 1, '/home/u/run.py', 16, 'run', NULL),
  (42, 0, '/home/u/run.py', 17, 'run', NULL),
  (103, 0, '/home/u/train.py', 43, 'main', NULL), (103, 1, '/home/u/run.py', 16, 'run', NULL);
INSERT INTO host_state VALUES (100, 'collecting garbage', 103, 0, 10, 0, 0, NULL);
UPDATE rounds SET times = 1;
INSERT INTO host_state VALUES (100, 'collecting garbage', 103, 80, 120, 0, 0, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 120, 120.01);
-- Found:
wall 120.01 ms, overlapped 0 ms, lost 101 (93.01 to 101) ms, replayed 120.01 ms
garbage-collection /home/u/train.py:43, 9 times, blocked 93 ms, lost 93.01 (93.01 to 93.01) ms
  at 83 ms for 37 ms: call 19
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
serial-stream /home/u/train.py:40, 8 times, blocked 16 ms, lost 7.99 (0 to 7.99) ms, with the others fixed
  at 1 ms for 2 ms: operation 3 cause 2
  at 4 ms for 2 ms: operation 5 cause 4
  at 7 ms for 2 ms: operation 7 cause 6
  fix: the other one
