-- As new-memory.sql, but of 6,000 faults, which would take 6 ms by the rate of another process, the thread was in the
-- kernel for 1 of the 10 ms: they took less than that.
-- Base: scenes/host-steps.sql
INSERT INTO metadata VALUES ('page_faults_bytes_per_s', '4096000000');
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 6000, NULL);
UPDATE host_states SET system_ns = 1000000;
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (0 to 48) ms, replayed 83 ms
host-work /home/u/train.py:43, 8 times, blocked 56 ms, lost 47 (0 to 47) ms
  at 3 ms for 7 ms: call 3 operation 3
  at 13 ms for 7 ms: call 5 operation 5
  at 23 ms for 7 ms: call 7 operation 7
serial-stream /home/u/train.py:40, 5 times, blocked 10 ms, lost 1 (0 to 1) ms, with the others fixed
  at 11 ms for 2 ms: operation 5 cause 4
  at 14 ms for 2 ms: operation 7 cause 6
  at 21 ms for 2 ms: operation 11 cause 10
  fix: the other one
