-- Between two steps prepare() runs in Python's thread, and the threads that make the calls wait for its work: the line
-- is prepare()'s, or what called it, not an empty queue. Its work and the wait behind it are 10 ms, of which the GPU is
-- idle for 7. The work is the 9 ms since the launch before. Three workers have three batches at 9 ms, at 18 and two at
-- 27: 27 + 2 x 3 = 33 of 83 ms. One worker has the last at 72 ms: 75 ms.
-- Base: scenes/host-executor.sql
INSERT INTO host_state VALUES (100, 'running', 100, 1, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 51 (8 to 51) ms, replayed 83 ms
host-work /home/u/train.py:43, 8 times, blocked 56 ms, lost 50 (8 to 50) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream (null):0, 5 times, blocked 10 ms, lost 1 (0 to 1) ms, with the others fixed
  at 10 ms for 2 ms: operation 5 cause 4
  at 13 ms for 2 ms: operation 7 cause 6
  at 19 ms for 2 ms: operation 11 cause 10
