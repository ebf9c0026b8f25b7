-- The iterations of the other case on device 0. On device 1 kernels of line 31, which use no managed memory, begin
-- half a millisecond earlier: the faults are not theirs, and line 41 has all of them.
INSERT INTO metadata VALUES ('managed_memory', 'on'), ('pinned_h2d_bytes_per_s', '1000000000'),
  ('pinned_h2d_latency_ns', '0'), ('pinned_d2h_bytes_per_s', '1000000000'), ('pinned_d2h_latency_ns', '0');
INSERT INTO devices (id, name, copy_engines) VALUES (1, 'NVIDIA H100', 3);
INSERT INTO contexts (id, device_id, null_stream_id) VALUES (2, 1, 7);
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (2, 43, 1, 0, 4300);
INSERT INTO functions VALUES (50, 'cudaMallocManaged', 'alloc');
INSERT INTO call (function, stream, line, enter, leave) VALUES ('cudaMallocManaged', NULL, 1, -1, -1);
CREATE TEMP TABLE step AS WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 3) SELECT n FROM s;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 13, 41, 20 * n, 20 * n, 20 * n, 20 * n + 10 FROM step;
INSERT INTO call (function, stream, line, enter, leave)
SELECT 'cudaStreamSynchronize', 13, 42, 20 * n, 20 * n + 10 FROM step;
INSERT INTO call (function, stream, line, enter, leave) VALUES ('cudaStreamSynchronize', 13, 43, 80, 80);
INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags)
SELECT 4, 1000000000 + (20 * n + f) * 1000000, 1000000000 + (20 * n + f + 2) * 1000000, 61000000, 7, 1
FROM step, (SELECT 1 f UNION ALL SELECT 3) UNION ALL
SELECT 1, 1001000000 + 20000000 * n, 1001500000 + 20000000 * n, 61000000, 1000000, 3 FROM step UNION ALL
SELECT 3, 1011500000 + 20000000 * n, NULL, 61000000, 4096, 1 FROM step UNION ALL
SELECT 2, 1012000000 + 20000000 * n, 1014000000 + 20000000 * n, 61000000, 1000000, 3 FROM step;
UPDATE managed_memory SET src_device_id = 0, dst_device_id = 0 WHERE kind < 3;
UPDATE managed_memory SET src_device_id = 0 WHERE kind = 4;
INSERT INTO operation (what, stream, line, enter, leave, start, end)
SELECT 'kernel', 43, 31, 20 * n, 20 * n, 20 * n, 20 * n + 10 FROM step;
UPDATE operations SET start_ns = start_ns + 500000 WHERE stream_id = 13;
UPDATE operations SET device_id = 1, context_id = 2 WHERE stream_id = 43;
