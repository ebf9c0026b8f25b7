-- Near-miss: as unused.sql, but the kernel between the two copies reads what the first one brought.
-- Base: scenes/overwritten.sql
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
-- Found:
wall 200 ms, overlapped 0 ms, lost 50 (50 to 60) ms, replayed 200 ms
serial-stream app.cu:32, 4 times, blocked 80 ms, lost 40 (40 to 40) ms
  at 10 ms for 20 ms: operation 3 cause 2
  at 60 ms for 20 ms: operation 7 cause 6
  at 110 ms for 20 ms: operation 11 cause 10
  fix: the other one
sync-in-loop app.cu:34, 3 times, blocked 150 ms, lost 0 (0 to 0) ms
  at 0 ms for 50 ms: call 5 operation 5 cause 4, stream 50 ms
  at 50 ms for 50 ms: call 10 operation 9 cause 8, stream 50 ms
  at 100 ms for 50 ms: call 15 operation 13 cause 12, stream 50 ms
serial-stream app.cu:30, 2 times, blocked 60 ms, lost 20 (20 to 20) ms, with the others fixed
  at 60 ms for 30 ms: operation 9 cause 8
  at 100 ms for 30 ms: operation 13 cause 12
  fix: the other one
