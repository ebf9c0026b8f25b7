-- As queue.sql on 16 processors, but the thread launches until 4 ms of each 10, the last kernel of 1 ms then, and waits for
-- the queue in the other 6, while workers make a batch in 10 ms: as many workers as there are save nothing. Twice as many
-- hand over two batches each 10 ms: they are taken at 6, 10, 16, 20 and so on, the eighth at 40, behind which the GPU works
-- for 4 ms: 44 of 83, the low end. With more the thread takes one each 4 ms. The estimate is no more than the GPU's idle
-- time in these waits, 8 x 5 ms.
-- Base: scenes/host-steps.sql
INSERT INTO metadata VALUES ('host_cpus', '16');
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 4, 4, 4, 5, NULL, NULL);
INSERT INTO stack VALUES (103, 0, '/usr/lib/python3.12/threading.py', 355, 'Condition.wait', NULL),
  (103, 1, '/usr/lib/python3.12/queue.py', 171, 'Queue.get', NULL), (103, 2, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'waiting for a thread', 103, 4, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 45.98 (38.987 to 45.98) ms, replayed 83 ms
loader-empty /home/u/train.py:43, 8 times, blocked 40 ms, lost 40 (39 to 45) ms
  at 5 ms for 5 ms: call 4 operation 4
  at 15 ms for 5 ms: call 7 operation 7
  at 25 ms for 5 ms: call 10 operation 10
tiny-kernels /home/u/train.py:40, 8 times, blocked 40 ms, lost 4.98 (0 to 4.98) ms, with the others fixed
  at 0 ms for 5 ms: call 1 operation 3
  at 10 ms for 5 ms: call 4 operation 6
  at 20 ms for 5 ms: call 7 operation 9
serial-stream /home/u/train.py:40, 7 times, blocked 6.985 ms, lost 1 (0 to 1) ms, with the others fixed
  at 34.02 ms for 1 ms: operation 25 cause 24
  at 10.0075 ms for 0.9975 ms: operation 7 cause 6
  at 14.01 ms for 0.9975 ms: operation 10 cause 9
  fix: the other one
