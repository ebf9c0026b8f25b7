-- As child-graphs.sql, but only the first two kernels are a child graph's, behind which the last two were added.
-- Base: graph-serial/child-graphs.sql
DELETE FROM graph_edges WHERE 377 IN (from_id, to_id);
INSERT INTO graph_edges VALUES (376, 104, 0, 0);
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 80 ms
graph-serial app.cu:73, 2 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 0 ms for 20 ms: operation 3 cause 2
  at 40 ms for 20 ms: operation 7 cause 6
