-- A graph with a host function at its end (40 to 70 ms) is launched twice: 140 ms. With the function on a
-- thread of its own the second launch runs from 40 to 80 ms, and its function from 80 to 110. The line is
-- that of the captured call.
-- The captured nodes' kinds are as CUPTI 13.0 says them: 0, whatever they are.
INSERT INTO graph_of_a_chunk (copy_node_kind, function_node_kind, copy_out) VALUES (0, 0, 30);
INSERT INTO host_function (line, start, end) VALUES (73, 40, 70), (73, 110, 140);
