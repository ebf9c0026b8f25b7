-- Near-miss: as steps.sql, but the instances stay, as those of different shapes do, and all are launched again
-- at the end: none could have been updated.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaStreamBeginCapture', 'graph-capture'),
  (21, 'cudaStreamEndCapture', 'graph-capture'), (22, 'cudaGraphInstantiateWithFlags', 'graph-instantiate'),
  (23, 'cudaGraphExecDestroy', 'graph-destroy'), (24, 'cudaGraphDestroy', 'graph-destroy'),
  (25, 'cuGraphExecKernelNodeSetParams', 'graph-update');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamBeginCapture', 23, NULL, 70, 20 * n, 20 * n FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT '__cudaLaunchKernel', 23, NULL, 71, 20 * n, 20 * n + 1 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT '__cudaLaunchKernel', 23, NULL, 72, 20 * n + 1, 20 * n + 2 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamEndCapture', 23, 900, 73, 20 * n + 2, 20 * n + 3 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaGraphInstantiateWithFlags', NULL, 901 + n, 74, 20 * n + 3, 20 * n + 7 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 75, 20 * n + 7, 20 * n + 8, 20 * n + 8, 20 * n + 10, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 23, 76, 20 * n + 8, 20 * n + 8, 20 * n + 12, 20 * n + 13, 11000000, 61000000 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 23, NULL, 77, 20 * n + 9, 20 * n + 13 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaGraphExecDestroy', NULL, 951, 78, 20 * n + 13, 20 * n + 15 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaGraphDestroy', NULL, 900, 79, 20 * n + 15, 20 * n + 16 FROM round;
INSERT INTO made_by VALUES (75, 'cudaGraphLaunch');
UPDATE calls SET object = 901 + (start_ns - 1000000000) / 20000000 WHERE site_id = 75;
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
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 76, 100 + 4 * n, 101 + 4 * n, 101 + 4 * n, 103 + 4 * n, NULL, NULL FROM round;
UPDATE calls SET object = 901 + (start_ns - 1100000000) / 4000000, function_id = 14
  WHERE site_id = 76 AND start_ns >= 1100000000;
