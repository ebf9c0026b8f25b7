-- Near-miss: as again.sql, but what the kernels of the second and the third step read and write is not known: they may
-- have written the coefficients.
-- Base: redundant-transfer/again.sql
UPDATE calls SET arguments_id = NULL WHERE id IN (5, 8);
-- Found:
wall 160 ms, overlapped 0 ms, lost 60 (20 to 60) ms, replayed 160 ms
sync-in-loop app.cu:33, 3 times, blocked 120 ms, lost 0 (0 to 0) ms
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
serial-stream app.cu:30, 3 times, blocked 90 ms, lost 60 (20 to 60) ms, with the others fixed
  at 10 ms for 30 ms: operation 4 cause 3
  at 50 ms for 30 ms: operation 7 cause 6
  at 90 ms for 30 ms: operation 10 cause 9
  fix: the other one
not seen: redundant-transfer: 2 20
not seen: kernel arguments: 2 4
