-- As one-buffer.sql, with a third copy (line 76) and kernel (77) in the chain: 60 ms a launch, and copies of 1 ms and
-- kernels of 19. The second kernel runs beside the first one from 2 ms on, and the third copy, into the first buffer
-- again, waits for the first kernel, until 20 ms: the third kernel runs until 40 ms.
-- Base: graph-serial/one-buffer.sql
INSERT INTO allocation VALUES (54000000, 1000000);
INSERT INTO call VALUES ('cudaMemcpyAsync', 13, NULL, 76, 0, 0), ('__cudaLaunchKernel', 13, NULL, 77, 0, 0);
INSERT INTO launch VALUES (11, 51000000, 54000000);
UPDATE calls SET correlation_id = id, src = 9000000, dst = 51000000, size_bytes = 1000000 WHERE site_id = 76;
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) VALUES (110, NULL, 1, 0, 10), (111, NULL, 1, 0, 11);
INSERT INTO graph_nodes (id, source_id, graph_id, kind) VALUES (210, 110, 2, 0), (211, 111, 2, 0);
INSERT INTO graph_edges VALUES (105, 110, 0, 0), (110, 111, 0, 0);
CREATE TABLE third AS SELECT * FROM operations WHERE graph_node_id IN (204, 205);
UPDATE third SET id = NULL, graph_node_id = graph_node_id + 6;
INSERT INTO operations SELECT * FROM third;
DROP TABLE third;
CREATE TABLE place (node, start, end);
INSERT INTO place VALUES (202, 0, 1), (203, 1, 20), (204, 20, 21), (205, 21, 40), (210, 40, 41), (211, 41, 60);
UPDATE operations SET (start_ns, end_ns) =
  (SELECT 1000000000 + (start + 60 * (correlation_id = 8)) * 1000000, 1000000000 + (end + 60 * (correlation_id = 8)) * 1000000
   FROM place WHERE node = graph_node_id);
DROP TABLE place;
UPDATE calls SET end_ns = 1120000000 WHERE site_id = 90;
-- Found:
wall 120 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 120 ms
graph-serial app.cu:73, 2 times, blocked 38 ms, lost 40 (40 to 40) ms
  at 1 ms for 19 ms: operation 3 cause 2
  at 61 ms for 19 ms: operation 9 cause 8
