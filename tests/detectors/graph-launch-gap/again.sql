-- Near-miss: as shapes.sql, but one graph, launched again and again: only the first launch uploads it.
-- Base: graph-launch-gap/shapes.sql
UPDATE calls SET object = 901 WHERE site_id = 75;
-- Found:
wall 65 ms, overlapped 0 ms, lost 24 (24 to 24) ms, replayed 65 ms
sync-in-loop app.cu:77, 4 times, blocked 24 ms, lost 24 (24 to 24) ms
  at 11 ms for 6 ms: call 7 operation 3 cause 2, stream 6 ms
  at 23 ms for 6 ms: call 9 operation 5 cause 4, stream 6 ms
  at 35 ms for 6 ms: call 11 operation 7 cause 6, stream 6 ms
  fix: the other one
