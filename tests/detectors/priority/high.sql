-- Near-miss: the same, but stream 24 has the higher priority already.
-- Base: priority/control.sql
UPDATE streams SET priority = -5 WHERE id = 24;
-- Found:
wall 66.5 ms, overlapped 1 ms, lost 0 (0 to 0) ms, replayed 66.5 ms
sync-in-loop app.cu:32, 1 times, blocked 19.5 ms, lost 0 (0 to 0) ms, folded
  at 1 ms for 19.5 ms: call 6 operation 5 cause 4, stream 19.5 ms
not seen: sync-in-loop: 4 42
