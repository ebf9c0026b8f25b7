-- Five graphs of two kernels, instantiated before the loop. Each step launches the next one: 6 ms, all but 0.014 of which
-- to upload it (2 us are a launch, and two nodes of four times 1.5 us CUPTI's), while the GPU is idle; then its kernels run for
-- 2 x 3 ms, and the host waits. Uploaded behind the launch before, each of four uploads runs beside the kernels, which take
-- longer by 14 us: 4 x 5.986 ms. So do they with 2 us more for the low end, and without for the high end.
INSERT INTO call VALUES ('cudaGraphInstantiateWithFlags', NULL, 901, 74, 0, 1),
  ('cudaGraphInstantiateWithFlags', NULL, 902, 74, 1, 2), ('cudaGraphInstantiateWithFlags', NULL, 903, 74, 2, 3),
  ('cudaGraphInstantiateWithFlags', NULL, 904, 74, 3, 4), ('cudaGraphInstantiateWithFlags', NULL, 905, 74, 4, 5);
UPDATE rounds SET times = 5, ms = 12;
INSERT INTO operation VALUES ('kernel', NULL, 23, 75, 5, 11, 11, 14, NULL, NULL);
INSERT INTO made_by VALUES (75, 'cudaGraphLaunch');
UPDATE calls SET object = 901 + (start_ns - 1005000000) / 12000000 WHERE site_id = 75;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id)
  SELECT 1, end_ns, end_ns + 3000000, 0, 1, 23, correlation_id, 1 FROM operations;
UPDATE operations SET graph_node_id = 1000 + correlation_id * 2 + (start_ns - 1011000000) / 3000000 % 4;
INSERT INTO call VALUES ('cudaStreamSynchronize', 23, NULL, 77, 11, 17);
-- Found:
wall 65 ms, overlapped 0 ms, lost 24 (24 to 24) ms, replayed 65 ms
sync-in-loop app.cu:77, 4 times, blocked 24 ms, lost 24 (24 to 24) ms
  at 11 ms for 6 ms: call 7 operation 3 cause 2, stream 6 ms
  at 23 ms for 6 ms: call 9 operation 5 cause 4, stream 6 ms
  at 35 ms for 6 ms: call 11 operation 7 cause 6, stream 6 ms
  fix: the other one
graph-launch-gap app.cu:75, 4 times, blocked 23.944 ms, lost 23.944 (23.944 to 23.944) ms
  in the order of the list: 0 ms
  at 17.014 ms for 5.986 ms: call 8 operation 3
  at 29.014 ms for 5.986 ms: call 10 operation 5
  at 41.014 ms for 5.986 ms: call 12 operation 7
