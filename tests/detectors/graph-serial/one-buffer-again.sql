-- Three copies into memory 51 (17, 4 and 1 ms), the first before three kernels that read it, of which the second and third
-- (9 and 19 ms) run in the second stream from 17 to 45 ms. The second copy can fill a second buffer at once, behind the
-- first kernel; the third one fills the first buffer again, and waits for the kernels there: 46 ms of 62.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (53000000, 1000000);
CREATE TABLE step (n, reads, writes, start, end);
INSERT INTO step VALUES (0, NULL, 51000000, 0, 17), (1, 51000000, 53000000, 17, 29), (2, 51000000, 52000000, 29, 38),
  (3, 51000000, 52000000, 38, 57), (4, NULL, 51000000, 57, 61), (5, NULL, 51000000, 61, 62);
INSERT INTO call VALUES ('cudaStreamBeginCapture', 13, NULL, 70, 0, 0);
INSERT INTO call SELECT iif(reads, '__cudaLaunchKernel', 'cudaMemcpyAsync'), 13, NULL, 71 + n, 0, 0 FROM step;
INSERT INTO call VALUES
  ('cudaStreamEndCapture', 13, NULL, 77, 0, 0), ('cudaGraphLaunch', 13, 800, 80, 0, 0),
  ('cudaDeviceSynchronize', NULL, NULL, 90, 1, 62);
UPDATE calls SET correlation_id = id;
UPDATE calls SET src = 1000000 * id, dst = 51000000, size_bytes = 1000000 WHERE site_id IN (71, 75, 76);
INSERT INTO launch SELECT 2 + n, reads, writes FROM step WHERE reads;
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) SELECT 100 + n, NULL, 1, 0, 2 + n FROM step;
INSERT INTO graph_nodes (id, source_id, graph_id, kind) SELECT 200 + n, 100 + n, 2, 0 FROM step;
INSERT INTO graph_edges SELECT 99 + n, 100 + n, 0, 0 FROM step WHERE n;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, graph_node_id,
                        name_id, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers_per_thread,
                        static_shared_bytes, dynamic_shared_bytes)
  SELECT 1, 1000000000 + start * 1000000, 1000000000 + end * 1000000, 0, 1, 13, 9, 200 + n, 2, 1, 1, 1, 64, 1, 1, 32, 0, 0
  FROM step;
UPDATE operations SET kind = 2, name_id = NULL, copy_kind = 1, src_kind = 2, dst_kind = 3, is_async = 1, size_bytes = 1000000
  WHERE graph_node_id IN (200, 204, 205);
DROP TABLE step;
-- Found:
wall 62 ms, overlapped 0 ms, lost 16 (16 to 16) ms, replayed 62 ms
graph-serial app.cu:73, 1 times, blocked 12 ms, lost 16 (16 to 16) ms
  at 17 ms for 12 ms: operation 3 cause 2
