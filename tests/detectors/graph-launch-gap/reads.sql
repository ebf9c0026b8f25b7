-- Ten graphs of two kernels, instantiated before the loop; ten steps of 20 ms. Each launches the next one: 6 ms, all but
-- 0.014 of which to upload it, while the GPU is idle; its kernels run for 2 x 3 ms, 8 bytes come back (1 ms), and the host
-- waits for them and works for 7 ms. What the device waits for are uploads: 9 x 5.986 ms, for which the kernels and
-- the copy last long enough. Without the reads the host would run ahead, and hide the uploads, too (63 ms): they are no finding
-- all the same.
INSERT INTO call SELECT 'cudaGraphInstantiateWithFlags', NULL, 901 + n, 74, n, n + 1 FROM number WHERE n < 10;
UPDATE rounds SET times = 10, ms = 20;
INSERT INTO operation VALUES ('kernel', NULL, 23, 75, 10, 16, 16, 19, NULL, NULL);
INSERT INTO made_by VALUES (75, 'cudaGraphLaunch');
UPDATE calls SET object = 901 + (start_ns - 1010000000) / 20000000 WHERE site_id = 75;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id)
  SELECT 1, end_ns, end_ns + 3000000, 0, 1, 23, correlation_id, 1 FROM operations;
UPDATE operations SET graph_node_id = 1000 + id;
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 76, 16, 17, 22, 23, 1000000, 60000000);
UPDATE operations SET size_bytes = 8 WHERE kind = 2;
UPDATE calls SET size_bytes = 8 WHERE size_bytes IS NOT NULL;
INSERT INTO call VALUES ('cudaStreamSynchronize', 23, NULL, 77, 17, 23);
-- Found:
wall 203 ms, overlapped 0 ms, lost 53.874 (53.874 to 53.874) ms, replayed 203 ms
graph-launch-gap app.cu:75, 9 times, blocked 53.874 ms, lost 53.874 (53.874 to 53.874) ms
  at 30.014 ms for 5.986 ms: call 14 operation 4
  at 50.014 ms for 5.986 ms: call 17 operation 7
  at 70.014 ms for 5.986 ms: call 20 operation 10
not seen: sync-in-loop: 9 54
