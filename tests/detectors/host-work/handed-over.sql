-- Each of the executor's threads has 20 ms between two of its calls, in which Python's thread makes one batch for each of
-- them: the work before a call is the 9 ms since the launch before. Three workers have batches 1 to 3 ready at 9 ms; 4 at
-- 18 ms, when the GPU has done 3: all ends at 21 ms of 43.
-- Base: scenes/five-steps.sql
INSERT INTO host_state VALUES (100, 'running', 100, 1, 10, 0, 0, NULL);
-- Found:
wall 43 ms, overlapped 0 ms, lost 22 (4 to 22) ms, replayed 43 ms
host-work /home/u/train.py:43, 4 times, blocked 28 ms, lost 22 (4 to 22) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
