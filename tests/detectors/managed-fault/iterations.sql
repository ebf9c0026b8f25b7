-- Four iterations of 20 ms: a kernel of 10 ms, of which 4 ms are page faults of 1 MB, and 10 ms of the host, in
-- which a fault and its movement of 1 MB take 2.5 ms. Untraced half of the kernel's faults count, 2 ms, and 1 MB
-- takes 1 ms as a copy at 1 GB/s: 4 x 1 ms of the kernels, 4 x 1.5 ms of the host. At the low end a quarter counts,
-- and the copy takes that; of the host 4 x 1.39 ms. At the high end it is 4 x 4 + 4 x 2.5 ms.
INSERT INTO metadata VALUES ('managed_memory', 'on'), ('pinned_h2d_bytes_per_s', '1000000000'),
  ('pinned_h2d_latency_ns', '0'), ('pinned_d2h_bytes_per_s', '1000000000'), ('pinned_d2h_latency_ns', '0');
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
