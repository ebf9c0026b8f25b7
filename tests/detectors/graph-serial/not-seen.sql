-- Near-miss: the arguments of the first branch are not known: the second may need what it writes.
-- Base: graph-serial/branches.sql
UPDATE calls SET arguments_id = NULL WHERE site_id IN (71, 72);
UPDATE operations SET name_id = NULL WHERE graph_node_id < 204;
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
not seen: kernel arguments: 4 8
