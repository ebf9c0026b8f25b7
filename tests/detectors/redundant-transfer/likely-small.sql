-- Near-miss: as likely.sql, but all bytes were hashed of the first because it has only 300: that says nothing of what is
-- between the lines of the second.
-- Base: scenes/two-inputs.sql
UPDATE calls SET numbers = CASE dst WHEN 51000000 THEN 2147483648 + 9 ELSE 5 END WHERE site_id = 30;
UPDATE operations SET size_bytes = 300 WHERE correlation_id IN (SELECT id FROM calls WHERE site_id = 30 AND dst = 51000000);
UPDATE calls SET size_bytes = 300 WHERE site_id = 30 AND dst = 51000000;
-- Found:
wall 480 ms, overlapped 0 ms, lost 220 (70 to 220) ms, replayed 480 ms
redundant-transfer app.cu:30 up to 64 KB, 5 times, blocked 50 ms, lost 50 (50 to 50) ms
  at 80 ms for 10 ms: call 9 operation 7
  at 160 ms for 10 ms: call 17 operation 13
  at 240 ms for 10 ms: call 25 operation 19
sync-in-loop app.cu:33, 11 times, blocked 440 ms, lost 0 (0 to 0) ms
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
serial-stream app.cu:30, 6 times, blocked 330 ms, lost 170 (20 to 170) ms, with the others fixed
  at 50 ms for 60 ms: operation 10 cause 9
  at 120 ms for 60 ms: operation 16 cause 15
  at 190 ms for 60 ms: operation 22 cause 21
redundant-transfer app.cu:30 over 64 KB, 5 times, blocked 50 ms, lost 0 (0 to 50) ms, folded
  at 120 ms for 10 ms: call 13 operation 10
  at 200 ms for 10 ms: call 21 operation 16
  at 280 ms for 10 ms: call 29 operation 22
