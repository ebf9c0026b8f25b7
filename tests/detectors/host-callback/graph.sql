-- Near-miss: the host function was captured: a node of a graph, it runs with the graph's launches and
-- holds no stream. What is left is that the copy in waited for the copy out (0 to 10 ms). What
-- held it longer is not known: in a stream of its own it may save up to 40 ms.
-- Base: host-callback/held.sql
INSERT INTO graph_nodes (id, graph_id, kind, call_id)
  SELECT 4294967297, 1, 3, id FROM calls WHERE site_id = 81;
-- Found:
wall 70 ms, overlapped 0 ms, lost 10 (10 to 40) ms, replayed 70 ms
serial-stream app.cu:82, 1 times, blocked 10 ms, lost 10 (10 to 40) ms
  at 0 ms for 10 ms: operation 2 cause 1
