-- Near-miss: the host function (30 to 60 ms) runs before the graph's D2H copy. It delayed only what
-- follows in the graph, and that order is not in the trace.
INSERT INTO graph_of_a_chunk (copy_node_kind, function_node_kind, copy_out) VALUES (1, 3, 60);
INSERT INTO host_function (line, start, end) VALUES (73, 30, 60), (73, 100, 130);
