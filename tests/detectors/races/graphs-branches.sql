-- A copy in stream 23 writes a buffer, and one in stream 24 reads it. Before the second are two graphs' launches,
-- in 23 and in 24, whose branches CUDA ran in one stream of its own: that orders the two streams now, but not
-- another time.
INSERT INTO allocation VALUES (51000000, 1000000);
INSERT INTO operation VALUES ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000);
INSERT INTO call VALUES ('__cudaLaunchKernel', 13, NULL, 72, 0, 0);
INSERT INTO call VALUES ('cudaGraphLaunch', 23, 800, 80, 1, 1), ('cudaGraphLaunch', 24, 801, 81, 2, 2);
UPDATE calls SET correlation_id = id; INSERT INTO launch VALUES (2, 71000000, 61000000);
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, graph_node_id, name_id) VALUES
 (1, 1011000000, 1012000000, 0, 1, 23, 3, NULL, 2), (1, 1011000000, 1012000000, 0, 1, 99, 3, NULL, 2),
 (1, 1012000000, 1013000000, 0, 1, 24, 4, NULL, 2), (1, 1012000000, 1013000000, 0, 1, 99, 4, NULL, 2);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 90, 3, 3, 13, 23, 2000000, 51000000);
-- Found:
possible, 1 times: cudaMemcpyAsync at app.cu:30 writes, cudaMemcpyAsync at app.cu:90 reads, 3 ms apart
2 of 2 graph launches not judged: the arguments of their kernels or copies are not in the trace
