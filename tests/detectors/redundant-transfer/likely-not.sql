-- Near-miss: as likely.sql, but the first tensor had changed between its lines: they tell nothing of the second.
-- Base: scenes/two-inputs.sql
UPDATE calls SET numbers = CASE WHEN id IN (13, 19) THEN 2147483648 + id WHEN id % 2 THEN 7 ELSE 5 END
  WHERE site_id = 30;
-- Found:
wall 480 ms, overlapped 0 ms, lost 220 (20 to 220) ms, replayed 480 ms
sync-in-loop app.cu:33, 11 times, blocked 440 ms, lost 0 (0 to 0) ms
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
serial-stream app.cu:30, 11 times, blocked 330 ms, lost 220 (20 to 220) ms, with the others fixed
  at 10 ms for 30 ms: operation 4 cause 3
  at 50 ms for 30 ms: operation 7 cause 6
  at 90 ms for 30 ms: operation 10 cause 9
redundant-transfer app.cu:30, 5 times, blocked 50 ms, lost 0 (0 to 50) ms, folded
  at 120 ms for 10 ms: call 13 operation 10
  at 200 ms for 10 ms: call 21 operation 16
  at 280 ms for 10 ms: call 29 operation 22
