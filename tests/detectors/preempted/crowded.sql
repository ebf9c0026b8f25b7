-- The thread is ready to run for 10 ms and has no processor for 6 of them: 8 x 6 = 48 ms less. The line's own work
-- is the other 4: a worker does that ahead, and a step takes 6 ms, 8 x 4 = 32 ms less. The GPU's idle time is shared
-- out in the same way: 4.2 and 2.8 of 7 ms.
-- Base: scenes/host-steps.sql
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 6, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (48 to 55) ms, replayed 83 ms
preempted /home/u/train.py:43, 8 times, blocked 33.6 ms, lost 48 (48 to 48) ms
  at 3 ms for 4.2 ms: call 3 operation 3
  at 13 ms for 4.2 ms: call 5 operation 5
  at 23 ms for 4.2 ms: call 7 operation 7
host-work /home/u/train.py:43, 8 times, blocked 22.4 ms, lost 32 (32 to 32) ms
  in the order of the list: 0 ms
  at 3 ms for 2.8 ms: call 3 operation 3
  at 13 ms for 2.8 ms: call 5 operation 5
  at 23 ms for 2.8 ms: call 7 operation 7
