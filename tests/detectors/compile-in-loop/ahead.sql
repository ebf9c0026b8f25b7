-- As executor.sql, but Python's thread does not wait for the copy: line 44 runs for 4 ms beside it, then comes the
-- launch, and 6 ms of compiling, the GPU idle for 4 of them. Without these 6 ms both the thread's next launch and the
-- executor's next copy come earlier: a step takes 4 ms instead of 10, 4 x 6 of 46 ms.
-- Base: scenes/five-steps.sql
UPDATE calls SET start_ns = start_ns + 3000000, end_ns = end_ns + 3000000 WHERE site_id = 41;
UPDATE operations SET start_ns = start_ns + 3000000, end_ns = end_ns + 3000000 WHERE kind = 1;
DELETE FROM host_states WHERE thread_id = 100;
INSERT INTO stack VALUES
  (103, 0, '/opt/venv/lib/python3.12/site-packages/jax/_src/compiler.py', 395, 'backend_compile_and_load', NULL),
  (103, 1, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'running', 101, 0, 4, 0, 0, NULL), (100, 'running', 103, 4, 10, 0, 0, NULL);
-- Found:
wall 46 ms, overlapped 0 ms, lost 24 (24 to 27) ms, replayed 46 ms
compile-in-loop /home/u/train.py:43, 4 times, blocked 16 ms, lost 24 (24 to 24) ms
  at 6 ms for 4 ms: call 3 operation 3
  at 16 ms for 4 ms: call 5 operation 5
  at 26 ms for 4 ms: call 7 operation 7
host-work /home/u/train.py:44, 3 times, blocked 9 ms, lost 9 (9 to 12) ms
  in the order of the list: 0 ms
  at 11 ms for 3 ms: call 4 operation 4
  at 21 ms for 3 ms: call 6 operation 6
  at 31 ms for 3 ms: call 8 operation 8
