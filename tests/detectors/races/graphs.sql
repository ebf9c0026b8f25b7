-- A graph that was captured as a copy in and a kernel is launched in stream 23, another one as a kernel in stream 24. The second
-- graph's kernel writes what the first one's copy writes and its kernel reads. A copy in stream 13 reads what the second graph's
-- kernel writes. Nothing orders the three.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000), (71000000, 1000000);
INSERT INTO call VALUES ('cudaStreamBeginCapture', 23, NULL, 69, 0, 0), ('cudaMemcpyAsync', 23, NULL, 70, 0, 0),
  ('__cudaLaunchKernel', 23, NULL, 71, 0, 0), ('__cudaLaunchKernel', 23, NULL, 72, 0, 0),
  ('cudaStreamEndCapture', 23, NULL, 73, 0, 0), ('cudaGraphLaunch', 23, 800, 80, 1, 1),
  ('cudaGraphLaunch', 24, 801, 81, 1, 1);
UPDATE calls SET correlation_id = id, src = 1000000, dst = 51000000, size_bytes = 1000000 WHERE id = 2;
UPDATE calls SET correlation_id = id WHERE id > 2;
INSERT INTO launch VALUES (3, 51000000, 61000000), (4, 71000000, 51000000);
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) VALUES
  (101, NULL, 1, 1, 2), (102, NULL, 1, 0, 3), (103, NULL, 2, 0, 4),
  (201, 101, 3, 1, NULL), (202, 102, 3, 0, NULL), (203, 103, 4, 0, NULL);
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, graph_node_id, name_id,
                        copy_kind, src_kind, dst_kind, is_async, size_bytes) VALUES
  (2, 1001000000, 1011000000, 0, 1, 23, 6, 201, NULL, 1, 2, 3, 1, 1000000),
  (1, 1011000000, 1021000000, 0, 1, 23, 6, 202, 2, NULL, NULL, NULL, NULL, NULL),
  (1, 1001000000, 1015000000, 0, 1, 24, 7, 203, 2, NULL, NULL, NULL, NULL, NULL);
INSERT INTO operation VALUES ('d2h', 'pinned', 13, 90, 2, 2, 2, 12, 2000000, 51000000);
-- Found:
possible, 1 times: cudaGraphLaunch at app.cu:80 writes, cudaGraphLaunch at app.cu:81 writes, -10 ms apart
possible, 1 times: cudaGraphLaunch at app.cu:81 writes, cudaGraphLaunch at app.cu:80 reads, -4 ms apart
possible, 1 times: cudaGraphLaunch at app.cu:81 writes, cudaMemcpyAsync at app.cu:90 reads, -13 ms apart
possible, 1 times: cudaGraphLaunch at app.cu:80 writes, cudaMemcpyAsync at app.cu:90 reads, -9 ms apart
