-- Near-miss: as graph-end.sql, but a third launch ran the function and was not recorded: which
-- run is whose is not known.
INSERT INTO graph_of_a_chunk (copy_node_kind, function_node_kind, copy_out) VALUES (1, 3, 30);
INSERT INTO host_function (line, start, end) VALUES (73, 40, 70), (73, 110, 140);
INSERT INTO host_function (line, start, end) VALUES (73, 140, 141);
