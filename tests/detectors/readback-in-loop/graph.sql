-- As awaited.sql, but the kernel is a graph's, and 8 bytes come back: the same 290 ms, but for 29 x 3.7 us where a
-- conditional node decides.
-- Base: readback-in-loop/awaited.sql
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) VALUES
  (4294967297, NULL, 1, 0, NULL), (8589934593, 4294967297, 2, 0, NULL);
UPDATE operations SET graph_node_id = 8589934593 WHERE kind = 1;
INSERT INTO made_by VALUES (40, 'cudaGraphLaunch');
UPDATE operations SET size_bytes = 8 WHERE kind = 2;
UPDATE calls SET size_bytes = 8 WHERE size_bytes IS NOT NULL;
-- Found:
wall 593 ms, overlapped 0 ms, lost 290 (232 to 291) ms, replayed 593 ms
readback-in-loop app.cu:41, 30 times, blocked 360 ms, lost 290 (232 to 290) ms
  at 1 ms for 12 ms: call 3 operation 2 cause 2, copy 1 ms
  at 21 ms for 12 ms: call 6 operation 4 cause 4, copy 1 ms
  at 41 ms for 12 ms: call 9 operation 6 cause 6, copy 1 ms
pageable-blocking app.cu:41, 30 times, blocked 60 ms, lost 0 (0 to 30) ms
  at 11 ms for 2 ms: call 3 operation 2, copy 1 ms
  at 31 ms for 2 ms: call 6 operation 4, copy 1 ms
  at 51 ms for 2 ms: call 9 operation 6, copy 1 ms
not seen: pinned copies:
