-- As graphs.sql, but a node of the first graph was given other arguments: what it accesses is not known. The second one is judged.
-- Base: races/graphs.sql
INSERT INTO call VALUES ('cuGraphExecKernelNodeSetParams', NULL, 800, 82, 0.5, 0.6);
-- Found:
possible, 1 times: cudaGraphLaunch at app.cu:81 writes, cudaMemcpyAsync at app.cu:90 reads, -13 ms apart
1 of 2 graph launches not judged: the program has updated graphs
