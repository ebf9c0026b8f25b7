-- A graph that was captured in stream 13 as two kernels of memory 51 (lines 71, 72) and two of memory 52
-- (73, 74), 10 ms each on 1 of 132 multiprocessors, and is launched twice (line 80), for 40 ms each. In a
-- second stream the last two run beside the first two: 2 x 20 ms instead of 2 x 40.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO call VALUES
  ('cudaStreamBeginCapture', 13, NULL, 70, 0, 0),
  ('__cudaLaunchKernel', 13, NULL, 71, 0, 0), ('__cudaLaunchKernel', 13, NULL, 72, 0, 0),
  ('__cudaLaunchKernel', 13, NULL, 73, 0, 0), ('__cudaLaunchKernel', 13, NULL, 74, 0, 0),
  ('cudaStreamEndCapture', 13, NULL, 75, 0, 0),
  ('cudaGraphLaunch', 13, 800, 80, 0, 0), ('cudaGraphLaunch', 13, 800, 80, 0, 0),
  ('cudaDeviceSynchronize', NULL, NULL, 90, 1, 80);
UPDATE calls SET correlation_id = id;
INSERT INTO launch VALUES
  (2, 51000000, 51000000), (3, 51000000, 51000000), (4, 52000000, 52000000), (5, 52000000, 52000000);
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id)
  SELECT 100 + id, NULL, 1, 0, id FROM calls WHERE site_id BETWEEN 71 AND 74;
INSERT INTO graph_nodes (id, source_id, graph_id, kind) SELECT 100 + id, id, 2, 0 FROM graph_nodes;
INSERT INTO graph_edges VALUES (102, 103, 0, 0), (103, 104, 0, 0), (104, 105, 0, 0);
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, graph_node_id,
                        name_id, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers_per_thread,
                        static_shared_bytes, dynamic_shared_bytes)
  SELECT 1, 1000000000 + (l.n * 40 + k.n * 10) * 1000000, 1000000000 + (l.n * 40 + k.n * 10 + 10) * 1000000, 0, 1, 13,
         7 + l.n, 202 + k.n, 2, 1, 1, 1, 64, 1, 1, 32, 0, 0
  FROM number l, number k WHERE l.n < 2 AND k.n < 4;
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 80 ms
graph-serial app.cu:73, 2 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 0 ms for 20 ms: operation 3 cause 2
  at 40 ms for 20 ms: operation 7 cause 6
