-- As pool.sql, but the threads compile for themselves: Python's thread does not wait, and runs line 44 all the time.
-- Base: scenes/host-executor.sql
INSERT INTO stack VALUES (104, 0, NULL, NULL, 'compile', '/opt/llvm/lib/libLLVM.so.19');
INSERT INTO host_state VALUES (100, 'running', 101, 1, 10, 0, 0, NULL),
  (200, 'running', 104, 1, 7, 0, 0, NULL), (201, 'running', 104, 4, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 42 (8 to 42) ms, replayed 83 ms
host-work /home/u/train.py:44, 8 times, blocked 56 ms, lost 41 (8 to 41) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream (null):0, 4 times, blocked 8 ms, lost 1 (0 to 1) ms, with the others fixed
  at 10 ms for 2 ms: operation 5 cause 4
  at 19 ms for 2 ms: operation 9 cause 8
  at 28 ms for 2 ms: operation 13 cause 12
