-- The thread is ready to run for 10 ms and has no processor for 6 of them: 8 x 6 = 48 ms less.
-- Base: scenes/host-steps.sql
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 6, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (48 to 48) ms, replayed 83 ms
preempted /home/u/train.py:43, 8 times, blocked 33.6 ms, lost 48 (48 to 48) ms
  at 3 ms for 4.2 ms: call 3 operation 3
  at 13 ms for 4.2 ms: call 5 operation 5
  at 23 ms for 4.2 ms: call 7 operation 7
