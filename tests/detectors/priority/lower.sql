-- Near-miss: the same as control, but the long kernels have the higher priority: the program wants them first, and a
-- higher one for the short kernels' stream is not what it asks for.
-- Base: priority/control.sql
UPDATE streams SET priority = -5 WHERE id = 23;
-- Found:
wall 66.5 ms, overlapped 1 ms, lost 0 (0 to 0) ms, replayed 66.5 ms
sync-in-loop app.cu:32, 1 times, blocked 19.5 ms, lost 0 (0 to 0) ms, folded
  at 1 ms for 19.5 ms: call 6 operation 5 cause 4, stream 19.5 ms
not seen: sync-in-loop: 4 42
