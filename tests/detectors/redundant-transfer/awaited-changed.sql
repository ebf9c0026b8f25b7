-- Near-miss: as awaited-back.sql, but the host wrote to it after the wait, between the lines that were hashed first.
-- Base: scenes/awaited-round-trip.sql
UPDATE calls SET numbers = 2147483648 + 100 + id, object = 2147483648 + 300 + id WHERE site_id = 33;
-- Found:
wall 150 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 150 ms
sync-in-loop app.cu:36, 3 times, blocked 90 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 30 ms: call 3 operation 3 cause 2, stream 30 ms
  at 50 ms for 30 ms: call 9 operation 7 cause 6, stream 30 ms
  at 100 ms for 30 ms: call 15 operation 11 cause 10, stream 30 ms
sync-in-loop app.cu:35, 2 times, blocked 40 ms, lost 0 (0 to 0) ms, folded
  at 30 ms for 20 ms: call 6 operation 5 cause 4, stream 20 ms
  at 80 ms for 20 ms: call 12 operation 9 cause 8, stream 20 ms
