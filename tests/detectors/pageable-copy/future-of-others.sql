-- As future.sql, but a third thread, which makes no calls, works while the main thread waits: that may be what it waits
-- for. So its waits stay, but for that before its first call, which nobody saw begin: 22 ms.
-- Base: pageable-copy/future.sql
INSERT INTO host_state VALUES (102, 'running', NULL, 0, 24, 0, 0, NULL);
-- Found:
wall 119 ms, overlapped 0 ms, lost 37 (36.7778 to 39) ms, replayed 119 ms
pageable-copy app.cu:20, 4 times, blocked 96 ms, lost 22 (21.7778 to 22.1818) ms
  at 0 ms for 24 ms: call 1 operation 1, copy 24 ms
  at 30 ms for 24 ms: call 4 operation 3, copy 24 ms
  at 60 ms for 24 ms: call 7 operation 5, copy 24 ms
  fix: the other one
sync-in-loop app.cu:41, 3 times, blocked 15 ms, lost 3 (3 to 3) ms
  in the order of the list: 15 ms
  at 24 ms for 5 ms: call 3 operation 4 cause 2, stream 5 ms
  at 54 ms for 5 ms: call 6 operation 6 cause 4, stream 5 ms
  at 84 ms for 5 ms: call 9 operation 8 cause 6, stream 5 ms
