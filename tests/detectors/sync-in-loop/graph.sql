-- The host waits for a graph before it enqueues a copy: 80 ms, while the kernel (40 ms) and the copy
-- (40 ms) could run side by side from 1 ms on. What it waits for is the kernel that line 10 captured.
INSERT INTO call VALUES ('__cudaLaunchKernel', 13, NULL, 10, 0, 0);
INSERT INTO operation VALUES ('kernel', NULL, 13, 20, 0, 0, 0, 40, NULL, NULL);
INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) VALUES
  (4294967297, NULL, 1, 0, 1), (8589934593, 4294967297, 2, 0, NULL);
UPDATE operations SET graph_node_id = 8589934593;
INSERT INTO made_by VALUES (20, 'cudaGraphLaunch');
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 44, 40, 40, 40, 80, 1000000, 51000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 39 (39 to 39) ms, replayed 80 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 39 (39 to 39) ms
  at 1 ms for 39 ms: call 3 operation 2 cause 1, stream 39 ms
