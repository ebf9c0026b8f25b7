-- As launch-path.sql, but PyTorch runs for line 43, which launches nothing: to transform the
-- input is work. The same numbers as launch-path-own.sql.
-- Base: host-work/launch-path.sql
UPDATE python_frames SET line = 43 WHERE site_id = 101 AND depth = 1;
-- Found:
wall 83 ms, overlapped 0 ms, lost 47 (0 to 47) ms, replayed 83 ms
host-work /home/u/train.py:43, 8 times, blocked 56 ms, lost 47 (0 to 47) ms
  at 3 ms for 7 ms: call 2 operation 2
  at 13 ms for 7 ms: call 3 operation 3
  at 23 ms for 7 ms: call 4 operation 4
