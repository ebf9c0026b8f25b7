-- As branches.sql, but the program has updated another graph, which is no reason to say nothing of this one.
-- Base: graph-serial/branches.sql
INSERT INTO call VALUES ('cuGraphExecKernelNodeSetParams', NULL, 801, 85, 0, 0);
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 80 ms
graph-serial app.cu:73, 2 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 0 ms for 20 ms: operation 3 cause 2
  at 40 ms for 20 ms: operation 7 cause 6
