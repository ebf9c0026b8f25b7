-- Near-miss: the program has updated the graph since: what its nodes access is not known.
-- Base: graph-serial/branches.sql
INSERT INTO call VALUES ('cuGraphExecKernelNodeSetParams', NULL, 800, 85, 0, 0);
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
not seen: kernel arguments: 8 8
