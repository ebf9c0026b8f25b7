-- What every large trace has. The functions' ids are those of enum function in large_trace.c.
INSERT INTO metadata VALUES ('program', 'app'),
  ('cupti', 'on'),
  ('end', 'exit'),
  ('event_waits', 'calls'),
  ('pinned_h2d_bytes_per_s', '25000000000'),
  ('pinned_h2d_latency_ns', '1000'),
  ('pinned_d2h_bytes_per_s', '25000000000'),
  ('pinned_d2h_latency_ns', '1000');
INSERT INTO devices (id, name, copy_engines, multiprocessors, max_warps_per_multiprocessor, max_blocks_per_multiprocessor) VALUES (0, 'NVIDIA H100', 3, 132, 64, 32);
INSERT INTO contexts VALUES (1, 0, 7);
INSERT INTO streams (context_id, id, flag, priority) VALUES (1, 7, 3, 0);
INSERT INTO functions VALUES (1, 'cudaMemcpyAsync', 'copy'),
  (2, 'cudaLaunchKernel', 'launch'),
  (3, 'cudaDeviceSynchronize', 'device-sync'),
  (4, 'cudaStreamSynchronize', 'stream-sync'),
  (5, 'cudaEventRecord', 'event-record'),
  (6, 'cudaEventSynchronize', 'event-sync'),
  (7, 'cudaStreamWaitEvent', 'stream-wait-event'),
  (8, 'cudaMemcpy', 'copy'),
  (9, 'cudaMalloc', 'alloc'),
  (10, 'cudaFree', 'free'),
  (11, 'cudaLaunchHostFunc', 'host-function');
INSERT INTO modules VALUES (1, 'app', NULL);
WITH RECURSIVE line(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM line WHERE n < 200) INSERT INTO frames (site_id, depth, module_id, offset, function, file, line) SELECT n, 0, 1, n, '_Z3runv', 'app.cu', n FROM line;
INSERT INTO call_sites SELECT site_id, 1 FROM frames;
