-- The calls are made by a thread of a framework that runs none of the program's code (its looks have no stack),
-- while thread 200 runs Python: its prepare() explains the gap.
-- Base: scenes/host-steps.sql
DELETE FROM python_frames WHERE site_id < 100;
UPDATE modules SET path = '/opt/venv/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so';
INSERT INTO host_state VALUES (100, 'waiting for a thread', NULL, 0, 10, 0, 0, NULL),
  (200, 'running', 100, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (0 to 48) ms, replayed 83 ms
host-work /home/u/augment.py:7, 8 times, blocked 56 ms, lost 47 (0 to 47) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream (null):0, 5 times, blocked 10 ms, lost 1 (0 to 1) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
