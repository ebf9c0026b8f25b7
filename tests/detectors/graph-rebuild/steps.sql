-- Five steps, 20 ms each. Each captures two kernels (3 ms, of which 1 ms for each launch), instantiates the graph
-- (4 ms), launches it (1 ms; 2 ms a kernel) and copies its result out (1 ms), waits, and destroys the instance
-- (2 ms) and the graph (1 ms); the host reads for 4 ms. One number that the first kernel gets changes.
-- Instantiated once, each of four steps saves the capture, the destructions, of the instantiation all but
-- the update of one node, which takes 1 ms, as its capture, and half of the launch's upload of both nodes
-- (0.986 ms: 2 us are the launch, and CUPTI takes four times 1.5 us a node): 4 x 9.493 of 96 ms. Low: the capture, the graph's
-- destruction and the upload stay, and both nodes are updated in 0.2 us each: 4 x 5.9996. High: nothing is updated:
-- 4 x 10.986.
UPDATE rounds SET times = 5, ms = 20;
INSERT INTO call VALUES
  ('cudaStreamBeginCapture', 23, NULL, 70, 0, 0),
  ('__cudaLaunchKernel', 23, NULL, 71, 0, 1),
  ('__cudaLaunchKernel', 23, NULL, 72, 1, 2),
  ('cudaStreamEndCapture', 23, 900, 73, 2, 3),
  ('cudaGraphInstantiateWithFlags', NULL, 901, 74, 3, 7);
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 75, 7, 8, 8, 10, NULL, NULL),
  ('d2h', 'pinned', 23, 76, 8, 8, 12, 13, 11000000, 61000000);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 23, NULL, 77, 9, 13),
  ('cudaGraphExecDestroy', NULL, 901, 78, 13, 15),
  ('cudaGraphDestroy', NULL, 900, 79, 15, 16);
INSERT INTO made_by VALUES (75, 'cudaGraphLaunch');
UPDATE calls SET object = 901 WHERE site_id = 75;
UPDATE calls SET numbers = 1 + (start_ns - 1000000000) / 20000000 WHERE site_id = 71;
-- The nodes: captured, instantiated, and the second one's kernel.
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id)
  SELECT 1000 + id, NULL, 1 + (start_ns - 1000000000) / 20000000, 0, id FROM calls WHERE site_id IN (71, 72);
INSERT INTO graph_nodes (id, source_id, graph_id, kind)
  SELECT 1000 + id, id, 100 + graph_id, 0 FROM graph_nodes;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id)
  SELECT 1, end_ns, end_ns + 2000000, 0, 1, 23, correlation_id, 1 FROM operations WHERE kind = 1;
UPDATE operations SET graph_node_id = (SELECT m.id FROM graph_nodes m JOIN graph_nodes c ON c.id = m.source_id
  JOIN calls k ON k.id = c.call_id WHERE k.site_id = 71 AND c.graph_id = 1 + (operations.start_ns - 1000000000) / 20000000)
  WHERE kind = 1 AND (start_ns - 1000000000) % 20000000 = 8000000;
UPDATE operations SET graph_node_id = (SELECT m.id FROM graph_nodes m JOIN graph_nodes c ON c.id = m.source_id
  JOIN calls k ON k.id = c.call_id WHERE k.site_id = 72 AND c.graph_id = 1 + (operations.start_ns - 1000000000) / 20000000)
  WHERE kind = 1 AND (start_ns - 1000000000) % 20000000 = 10000000;
-- Found:
wall 96 ms, overlapped 0 ms, lost 37.972 (23.9964 to 43.944) ms, replayed 96 ms
graph-rebuild app.cu:74, 4 times, blocked 28 ms, lost 37.972 (23.9964 to 43.944) ms
  at 20 ms for 7 ms: call 15
  at 40 ms for 7 ms: call 25
  at 60 ms for 7 ms: call 35
not seen: sync-in-loop: 4 16
