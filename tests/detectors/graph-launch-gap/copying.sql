-- Near-miss: as copied.sql, but the copies last until 9 ms: they hide the larger part of the uploads.
-- Base: graph-launch-gap/copied.sql
UPDATE operations SET end_ns = end_ns + 3000000 WHERE kind = 2;
-- Found:
wall 65 ms, overlapped 0 ms, lost 24 (8 to 24) ms, replayed 65 ms
sync-in-loop app.cu:77, 4 times, blocked 24 ms, lost 8 (8 to 8) ms
  at 11 ms for 6 ms: call 8 operation 4 cause 3, stream 6 ms
  at 23 ms for 6 ms: call 11 operation 7 cause 6, stream 6 ms
  at 35 ms for 6 ms: call 14 operation 10 cause 9, stream 6 ms
  fix: the other one
serial-stream app.cu:76, 4 times, blocked 24 ms, lost 16 (0 to 16) ms, with the others fixed
  at 11 ms for 6 ms: operation 4 cause 3
  at 21 ms for 6 ms: operation 7 cause 6
  at 31 ms for 6 ms: operation 10 cause 9
  fix: the other one
