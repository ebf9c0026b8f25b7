-- As executor.sql, but each copy is made by a thread of its own, which nobody looked at.
-- Base: scenes/five-steps.sql
UPDATE calls SET thread_id = 300 + id WHERE site_id = 40;
DELETE FROM host_states WHERE thread_id >= 300;
INSERT INTO stack VALUES
  (103, 0, '/opt/venv/lib/python3.12/site-packages/jax/_src/compiler.py', 395, 'backend_compile_and_load', NULL),
  (103, 1, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'waiting for a thread', 103, 1, 10, 0, 0, NULL);
-- Found:
wall 43 ms, overlapped 0 ms, lost 32 (32 to 32) ms, replayed 43 ms
compile-in-loop /home/u/train.py:43, 4 times, blocked 28 ms, lost 28 (28 to 28) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream (null):0, 4 times, blocked 8 ms, lost 4 (4 to 4) ms, with the others fixed
  at 1 ms for 2 ms: operation 3 cause 2
  at 4 ms for 2 ms: operation 5 cause 4
  at 7 ms for 2 ms: operation 7 cause 6
