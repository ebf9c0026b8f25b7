-- As again.sql, but of none of the copies all bytes were hashed: there was no time for it. What lies between the
-- lines may have changed, so the estimate is nothing.
-- Base: scenes/steps.sql
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 7 WHERE site_id = 30;
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
redundant-transfer app.cu:30, 3 times, blocked 30 ms, lost 0 (0 to 30) ms, folded
  at 40 ms for 10 ms: call 5 operation 4
  at 80 ms for 10 ms: call 9 operation 7
  at 120 ms for 10 ms: call 13 operation 10
