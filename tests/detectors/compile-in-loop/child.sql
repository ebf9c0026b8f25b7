-- As executor.sql, but the threads that make the calls compile for line 43: each waits for input from ptxas, which runs in
-- a process of its own, for longer than for a thread.
-- Base: scenes/host-executor.sql
INSERT INTO stack VALUES
  (103, 0, '/opt/venv/lib/python3.12/site-packages/jax/_src/compiler.py', 395, 'backend_compile_and_load', NULL),
  (103, 1, '/home/u/train.py', 43, 'main', NULL);
DELETE FROM host_states WHERE thread_id >= 300;
INSERT INTO host_state VALUES (100, 'waiting for a thread', 103, 1, 10, 0, 0, NULL),
  (300, 'waiting for a thread', 110, 0, 1, 0, 0, NULL), (301, 'waiting for a thread', 110, 0, 1, 0, 0, NULL),
  (300, 'waiting for input', 110, 1, 5, 0, 0, 'pipe'), (301, 'waiting for input', 110, 1, 5, 0, 0, 'pipe'),
  (300, 'waiting for input', 110, 5, 10, 0, 0, 'pipe'), (301, 'waiting for input', 110, 5, 10, 0, 0, 'pipe');
-- Found:
wall 83 ms, overlapped 0 ms, lost 64 (64 to 64) ms, replayed 83 ms
compile-in-loop /home/u/train.py:43, 8 times, blocked 56 ms, lost 56 (56 to 56) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream (null):0, 8 times, blocked 16 ms, lost 8 (8 to 8) ms, with the others fixed
  at 1 ms for 2 ms: operation 3 cause 2
  at 4 ms for 2 ms: operation 5 cause 4
  at 7 ms for 2 ms: operation 7 cause 6
