-- The thread waits for all of the 10 ms in queue.get() for another thread, a condition without a name.
-- Twice as many workers hand over two batches each 10 ms: 4 x 10 + 2 x 3 = 46 of 83 ms, which is the low end. Three times
-- as many bring three: 30 + 2 x 3 = 36 ms, 47 less. The four processors that are assumed leave room for four times as
-- many, 22 + 4 x 3 = 34 ms: the high end.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/usr/lib/python3.12/threading.py', 355, 'Condition.wait', NULL),
  (103, 1, '/usr/lib/python3.12/queue.py', 171, 'Queue.get', NULL), (103, 2, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'waiting for a thread', 103, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (37 to 53) ms, replayed 83 ms
loader-empty /home/u/train.py:43, 8 times, blocked 56 ms, lost 47 (37 to 49) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 5 times, blocked 10 ms, lost 1 (0 to 2) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
