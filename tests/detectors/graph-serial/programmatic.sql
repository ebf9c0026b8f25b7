-- Near-miss: the second branch is a programmatic dependent launch of the first one: it waits as its kernel says.
-- Base: graph-serial/branches.sql
UPDATE graph_edges SET kind = 1, from_port = 1 WHERE from_id = 103;
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
