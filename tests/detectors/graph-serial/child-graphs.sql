-- As branches.sql, but of two child graphs of two kernels each (lines 76 and 77), added one behind the other: the
-- second one needs nothing of the first.
-- Base: graph-serial/branches.sql
INSERT INTO call VALUES ('cuGraphAddChildGraphNode', NULL, 850, 76, 0, 0), ('cuGraphAddChildGraphNode', NULL, 850, 77, 0, 0);
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id)
  SELECT 300 + site_id, NULL, 3, 4, id FROM calls WHERE site_id IN (76, 77);
DELETE FROM graph_edges;
INSERT INTO graph_edges VALUES (376, 377, 0, 0), (376, 102, 256, 0), (377, 104, 256, 0), (102, 103, 0, 0), (104, 105, 0, 0);
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 80 ms
graph-serial app.cu:77, 2 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 0 ms for 20 ms: operation 3 cause 2
  at 40 ms for 20 ms: operation 7 cause 6
  fix: the other one
