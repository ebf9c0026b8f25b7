-- A graph with a host function at its end (40 to 70 ms) is launched twice: 140 ms. With the function on a
-- thread of its own the second launch runs from 40 to 80 ms, and its function from 80 to 110. The line is
-- that of the captured call.
-- The captured nodes' kinds are as CUPTI 13.0 says them: 0, whatever they are.
INSERT INTO graph_of_a_chunk VALUES (0, 0, 30);
INSERT INTO host_function VALUES (73, 40, 70), (73, 110, 140);
-- Found:
wall 140 ms, overlapped 0 ms, lost 30 (0 to 30) ms, replayed 140 ms
host-callback app.cu:73, 1 times, blocked 30 ms, lost 30 (0 to 30) ms
  at 40 ms for 30 ms: operation 4 cause 3
