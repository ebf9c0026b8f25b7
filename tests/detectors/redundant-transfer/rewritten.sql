-- Near-miss: as again.sql, but the kernel writes where the copy goes: each step begins anew.
-- Base: scenes/steps.sql
INSERT INTO launch SELECT id, 61000000, 51000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 2147483648 + 7 WHERE site_id = 30;
-- Found:
wall 160 ms, overlapped 0 ms, lost 70 (50 to 70) ms, replayed 160 ms
serial-stream app.cu:32, 4 times, blocked 120 ms, lost 40 (40 to 40) ms
  at 0 ms for 30 ms: operation 3 cause 2
  at 40 ms for 30 ms: operation 6 cause 5
  at 80 ms for 30 ms: operation 9 cause 8
sync-in-loop app.cu:33, 3 times, blocked 120 ms, lost 30 (10 to 30) ms, with the others fixed
  at 0 ms for 40 ms: call 4 operation 4 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 8 operation 7 cause 6, stream 40 ms
  at 80 ms for 40 ms: call 12 operation 10 cause 9, stream 40 ms
