-- Near-miss: the second child graph begins with two nodes: it is no part of a chain.
-- Base: graph-serial/child-graphs.sql
DELETE FROM graph_edges WHERE from_id = 104;
INSERT INTO graph_edges VALUES (377, 105, 256, 0);
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
