-- As timed.sql, under Python: its C++ library reads clocks for the libraries that it loads, so the first wait is found, too.
-- Base: sync-in-loop/timed.sql
INSERT INTO metadata VALUES ('python', 'on: 3.12.3');
-- Found:
wall 96 ms, overlapped 0 ms, lost 6 (6 to 6) ms, replayed 96 ms
sync-in-loop app.cu:42, 1 times, blocked 29 ms, lost 3 (3 to 3) ms
  26 ms move to finding 2
  at 1 ms for 29 ms: call 2 operation 2 cause 1, other streams 29 ms
sync-in-loop app.cu:43, 1 times, blocked 29 ms, lost 3 (3 to 3) ms
  at 34 ms for 29 ms: call 4 operation 3 cause 2, other streams 29 ms
