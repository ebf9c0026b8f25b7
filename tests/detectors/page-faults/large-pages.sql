-- As new-memory.sql, but pages of 2 MB: 20 faults, and 6 of the 10 ms in the kernel, which so many faults can take. Of
-- pages of 4 KB so many would take 20 us.
-- Base: scenes/host-steps.sql
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 20, NULL);
UPDATE host_states SET system_ns = 6000000;
-- Found:
wall 83 ms, overlapped 0 ms, lost 48 (48 to 48) ms, replayed 83 ms
page-faults /home/u/train.py:43, 8 times, blocked 33.6 ms, lost 48 (48 to 48) ms
  at 3 ms for 4.2 ms: call 3 operation 3
  at 13 ms for 4.2 ms: call 5 operation 5
  at 23 ms for 4.2 ms: call 7 operation 7
