-- Near-miss: the host function was captured: a node of a graph, it runs with the graph's launches and
-- holds no stream. What is left is that the copy in waited for the copy out (0 to 10 ms). What
-- held it longer is not known: in a stream of its own it may save up to 40 ms.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 0, 0, 50, 70, NULL, NULL);
INSERT INTO host_function (line, start, end) VALUES (81, 10, 40);
INSERT INTO graph_nodes (id, graph_id, kind, call_id)
  SELECT 4294967297, 1, 3, id FROM calls WHERE site_id = 81;
