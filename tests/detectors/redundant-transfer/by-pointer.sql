-- Near-miss: as again.sql, but no launch is given a pointer to the coefficients: who reads or writes them is not
-- known.
-- Base: scenes/steps.sql
INSERT INTO launch SELECT id, 61000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 2147483648 + 7 WHERE site_id = 30;
-- Found:
wall 160 ms, overlapped 0 ms, lost 70 (40 to 70) ms, replayed 160 ms
serial-stream app.cu:31, 4 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 0 ms for 10 ms: operation 2 cause 1
  at 40 ms for 10 ms: operation 5 cause 4
  at 80 ms for 10 ms: operation 8 cause 7
sync-in-loop app.cu:33, 3 times, blocked 120 ms, lost 30 (0 to 30) ms, with the others fixed
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
