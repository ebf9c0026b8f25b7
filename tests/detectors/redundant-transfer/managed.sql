-- Near-miss: as again.sql, but the coefficients are in managed memory, where the host can have written them.
-- Base: redundant-transfer/again.sql
UPDATE allocations SET memory_kind = 5 WHERE address = 51000000;
-- Found:
wall 160 ms, overlapped 0 ms, lost 60 (10 to 60) ms, replayed 160 ms
sync-in-loop app.cu:33, 3 times, blocked 120 ms, lost 0 (0 to 0) ms
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
serial-stream app.cu:30, 3 times, blocked 90 ms, lost 60 (10 to 60) ms, with the others fixed
  at 10 ms for 30 ms: operation 4 cause 3
  at 50 ms for 30 ms: operation 7 cause 6
  at 90 ms for 30 ms: operation 10 cause 9
  fix: the other one
