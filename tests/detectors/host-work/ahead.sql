-- As compile-in-loop/ahead.sql, but the 6 ms behind the launch are prepare()'s work for the executor's next copy, which
-- takes the 4 ms that line 44 does beside it. Three workers have a batch each 2 ms, the first at 6 ms. Then the thread's
-- launches come 4 ms apart, and the GPU works without a pause, 6 ms a step: 30 of 46 ms.
-- Base: scenes/five-steps.sql
UPDATE calls SET start_ns = start_ns + 3000000, end_ns = end_ns + 3000000 WHERE site_id = 41;
UPDATE operations SET start_ns = start_ns + 3000000, end_ns = end_ns + 3000000 WHERE kind = 1;
UPDATE operations SET end_ns = end_ns + 3000000 WHERE kind = 2;
DELETE FROM host_states WHERE thread_id = 100;
INSERT INTO host_state VALUES (100, 'running', 101, 0, 4, 0, 0, NULL), (100, 'running', 100, 4, 10, 0, 0, NULL);
-- Found:
wall 46 ms, overlapped 0 ms, lost 16 (16 to 16) ms, replayed 46 ms
host-work /home/u/train.py:43, 4 times, blocked 16 ms, lost 16 (16 to 16) ms
  at 6 ms for 4 ms: call 3 operation 3
  at 16 ms for 4 ms: call 5 operation 5
  at 26 ms for 4 ms: call 7 operation 7
