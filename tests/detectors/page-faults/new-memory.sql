-- A page fault takes 1 us (4,096 bytes at 4.096 GB/s). Of the 10 ms 6,000 faults explain 6: a step without them takes
-- 4 ms, 8 x 6 = 48 ms less. The GPU's share of it is 7 x 6 / 10 = 4.2 ms a step.
-- Base: scenes/host-steps.sql
INSERT INTO metadata VALUES ('page_faults_bytes_per_s', '4096000000');
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 6000, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (48 to 48) ms, replayed 83 ms
page-faults /home/u/train.py:43, 8 times, blocked 33.6 ms, lost 48 (48 to 48) ms
  at 3 ms for 4.2 ms: call 3 operation 3
  at 13 ms for 4.2 ms: call 5 operation 5
  at 23 ms for 4.2 ms: call 7 operation 7
