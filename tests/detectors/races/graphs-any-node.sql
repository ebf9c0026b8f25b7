-- As graphs.sql, but one node was added by a function that adds any kind: it may record an event, or wait for one.
-- Base: races/graphs.sql
INSERT INTO functions VALUES (40, 'cudaGraphAddNode', 'graph-build');
INSERT INTO call VALUES ('cudaGraphAddNode', NULL, NULL, 74, 0.2, 0.2);
-- Found:
2 of 2 graph launches not judged: graphs have nodes that order other streams
