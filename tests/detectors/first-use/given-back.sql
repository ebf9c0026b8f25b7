-- As unrelied.sql, but the host gives the result's memory back: it relied on the wait for that.
-- Base: first-use/unrelied.sql
UPDATE first_uses SET kind = 5 WHERE id = 1;
-- Found:
wall 85 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 85 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 25 (25 to 25) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, removable
