-- Near-miss: the host function (30 to 60 ms) runs before the graph's D2H copy. It delayed only what
-- follows in the graph, and that order is not in the trace.
INSERT INTO graph_of_a_chunk VALUES (1, 3, 60);
INSERT INTO host_function VALUES (73, 30, 60), (73, 100, 130);
-- Found:
wall 140 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 140 ms
