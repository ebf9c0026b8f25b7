-- As graphs.sql, but a node was given other arguments: what it accesses is not known.
-- Base: races/graphs.sql
INSERT INTO call VALUES ('cuGraphExecKernelNodeSetParams', NULL, 800, 82, 0.5, 0.6);
-- Found:
2 of 2 graph launches not judged: the program has updated graphs
