-- Four steps of 50 ms: the host sends a start value (10 ms), a kernel that does not read it runs (20 ms), then
-- comes what overwrites it (10 ms), which a kernel reads (10 ms). The first copy of each step brings nothing:
-- 40 of 200 ms.
-- Base: scenes/overwritten.sql
INSERT INTO launch SELECT id, 61000000, 61000000 FROM calls WHERE site_id = 31;
-- Found:
wall 200 ms, overlapped 0 ms, lost 80 (80 to 80) ms, replayed 200 ms
serial-stream app.cu:32, 4 times, blocked 80 ms, lost 40 (40 to 40) ms
  at 10 ms for 20 ms: operation 3 cause 2
  at 60 ms for 20 ms: operation 7 cause 6
  at 110 ms for 20 ms: operation 11 cause 10
  fix: the other one
redundant-transfer app.cu:30, 4 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 0 ms for 10 ms: call 1 operation 1
  at 50 ms for 10 ms: call 6 operation 5
  at 100 ms for 10 ms: call 11 operation 9
serial-stream app.cu:31, 4 times, blocked 40 ms, lost 40 (40 to 40) ms
  in the order of the list: 0 ms
  at 0 ms for 10 ms: operation 2 cause 1
  at 50 ms for 10 ms: operation 6 cause 5
  at 100 ms for 10 ms: operation 10 cause 9
sync-in-loop app.cu:34, 3 times, blocked 150 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 50 ms: call 5 operation 5 cause 4, stream 50 ms
  at 50 ms for 50 ms: call 10 operation 9 cause 8, stream 50 ms
  at 100 ms for 50 ms: call 15 operation 13 cause 12, stream 50 ms
