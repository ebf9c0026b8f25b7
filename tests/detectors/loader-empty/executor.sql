-- As host-work/executor.sql, but Python's thread waits in queue.get() for a thread of the program's, which makes no calls
-- and prepares the batch: its queue is empty, at the line that waits. Twice as many workers hand over two batches each
-- 10 ms from 9 ms on: the last at 40, 45 of 83 ms. Three times as many: the last two at 29 ms, 35 ms. Four times: 33 ms.
-- Base: scenes/host-executor.sql
INSERT INTO stack VALUES (103, 0, '/usr/lib/python3.12/threading.py', 355, 'Condition.wait', NULL),
  (103, 1, '/usr/lib/python3.12/queue.py', 171, 'Queue.get', NULL), (103, 2, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'waiting for a thread', 103, 1, 10, 0, 0, NULL),
  (200, 'running', 100, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 49 (39 to 55) ms, replayed 83 ms
loader-empty /home/u/train.py:43, 8 times, blocked 56 ms, lost 48 (38 to 50) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream (null):0, 5 times, blocked 10 ms, lost 1 (1 to 5) ms, with the others fixed
  at 10 ms for 2 ms: operation 5 cause 4
  at 13 ms for 2 ms: operation 7 cause 6
  at 20 ms for 2 ms: operation 11 cause 10
