-- As graphs.sql, but the nodes were added, not captured: their arguments are in structures. Of each launch nothing is judged.
-- Base: races/graphs.sql
INSERT INTO functions VALUES (40, 'cudaGraphAddMemcpyNode', 'graph-build'), (41, 'cudaGraphAddKernelNode', 'graph-build');
UPDATE calls SET function_id = 40, dst = NULL, src = NULL WHERE id = 2;
UPDATE calls SET function_id = 41, arguments_id = NULL WHERE id IN (3, 4);
-- Found:
2 of 2 graph launches not judged: the arguments of their kernels or copies are not in the trace
