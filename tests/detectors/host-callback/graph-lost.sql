-- Near-miss: as graph-end.sql, but a third launch ran the function and was not recorded: which
-- run is whose is not known.
INSERT INTO graph_of_a_chunk VALUES (1, 3, 30);
INSERT INTO host_function VALUES (73, 40, 70), (73, 110, 140), (73, 140, 141);
-- Found:
wall 140 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 140 ms
