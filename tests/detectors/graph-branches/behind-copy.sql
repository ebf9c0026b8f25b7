-- Twice a copy in (10 ms, stream 13, line 30) and behind it a graph (line 80), all enqueued at once: a kernel in
-- stream 13 (10 ms), then one there (10 ms) beside one in stream 21 (20 ms), which CUDA gave that branch, then
-- one behind both (10 ms): 2 x 50 ms. In a stream of its own the second copy runs beside the first graph, and the
-- whole second graph, with its branch, 10 ms earlier. Did nothing hold that branch, it would be 20.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (53000000, 1000000), (54000000, 1000000);
INSERT INTO call VALUES
  ('cudaStreamBeginCapture', 13, NULL, 70, 0, 0),
  ('__cudaLaunchKernel', 13, NULL, 71, 0, 0), ('__cudaLaunchKernel', 13, NULL, 72, 0, 0),
  ('__cudaLaunchKernel', 14, NULL, 73, 0, 0), ('__cudaLaunchKernel', 13, NULL, 74, 0, 0),
  ('cudaStreamEndCapture', 13, NULL, 75, 0, 0);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 30, 0, 0, 0, 10, 1000000, 51000000);
INSERT INTO call VALUES ('cudaGraphLaunch', 13, 800, 80, 0, 0);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 30, 0, 0, 50, 60, 1000000, 51000000);
INSERT INTO call VALUES
  ('cudaGraphLaunch', 13, 800, 80, 0, 0), ('cudaDeviceSynchronize', NULL, NULL, 90, 0, 100);
UPDATE calls SET start_ns = start_ns + id * 1000, end_ns = max(end_ns, start_ns + id * 1000 + 500), correlation_id = id;
UPDATE calls SET numbers = 2147483648 + 7 WHERE site_id = 30; -- all bytes were hashed
INSERT INTO launch VALUES
  (2, 51000000, 52000000), (3, 52000000, 53000000), (4, 52000000, 54000000), (5, 54000000, 53000000);
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id)
  SELECT 100 + id, NULL, 1, 0, id FROM calls WHERE site_id BETWEEN 71 AND 74;
INSERT INTO graph_nodes (id, source_id, graph_id, kind) SELECT 100 + id, id, 2, 0 FROM graph_nodes;
INSERT INTO graph_edges VALUES (102, 103, 0, 0), (102, 104, 0, 0), (103, 105, 0, 0), (104, 105, 0, 0);
CREATE TABLE node AS SELECT 202 id, 13 stream, 10 start, 20 end UNION ALL SELECT 203, 13, 20, 30
  UNION ALL SELECT 204, 21, 20, 40 UNION ALL SELECT 205, 13, 40, 50;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, graph_node_id,
                        name_id, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers_per_thread,
                        static_shared_bytes, dynamic_shared_bytes)
  SELECT 1, 1000000000 + (l.n * 50 + node.start) * 1000000, 1000000000 + (l.n * 50 + node.end) * 1000000, 0, 1,
         node.stream, 8 + 2 * l.n, node.id, 2, 1, 1, 1, 64, 1, 1, 32, 0, 0
  FROM number l, node WHERE l.n < 2;
-- Found:
wall 100 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 100 ms
serial-stream app.cu:30, 1 times, blocked 40 ms, lost 10 (10 to 10) ms
  at 10 ms for 40 ms: operation 6 cause 5
  fix: the other one
not seen: redundant-transfer: 1 10
