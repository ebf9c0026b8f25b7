-- As control.sql, but both streams were created with the greatest priority: the fix must lower the one of the large
-- kernels.
-- Base: priority/control.sql
UPDATE streams SET priority = -5;
-- Found:
wall 66.5 ms, overlapped 1 ms, lost 6.49432 (6.49432 to 6.49432) ms, replayed 66.5 ms
priority app.cu:30, 3 times, blocked 51 ms, lost 6.49432 (6.49432 to 6.49432) ms
  at 2 ms for 17 ms: operation 2 cause 1
  at 22 ms for 17 ms: operation 5 cause 3
  at 42 ms for 17 ms: operation 8 cause 6
  fix: the other one
sync-in-loop app.cu:32, 1 times, blocked 19.5 ms, lost 0 (0 to 0) ms, folded
  at 1 ms for 19.5 ms: call 6 operation 5 cause 4, stream 19.5 ms
not seen: sync-in-loop: 4 42
