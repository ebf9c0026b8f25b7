-- As round-trip.sql, but the copies are asynchronous, and the host waits for the stream between them: the hash of what
-- was fetched is the object of the copy back. The low end leaves the copy to the host.
-- Base: scenes/awaited-round-trip.sql
UPDATE calls SET numbers = 2147483648 + 100 + id, object = 2147483648 + 100 + id WHERE site_id = 33;
-- Found:
wall 150 ms, overlapped 0 ms, lost 60 (30 to 60) ms, replayed 150 ms
redundant-transfer app.cu:33, 3 times, blocked 30 ms, lost 60 (30 to 60) ms
  at 30 ms for 10 ms: call 4 operation 3
  at 80 ms for 10 ms: call 10 operation 7
  at 130 ms for 10 ms: call 16 operation 11
  fix: the other one
sync-in-loop app.cu:36, 3 times, blocked 90 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 30 ms: call 3 operation 3 cause 2, stream 30 ms
  at 50 ms for 30 ms: call 9 operation 7 cause 6, stream 30 ms
  at 100 ms for 30 ms: call 15 operation 11 cause 10, stream 30 ms
sync-in-loop app.cu:35, 2 times, blocked 40 ms, lost 0 (0 to 0) ms, folded
  at 30 ms for 20 ms: call 6 operation 5 cause 4, stream 20 ms
  at 80 ms for 20 ms: call 12 operation 9 cause 8, stream 20 ms
