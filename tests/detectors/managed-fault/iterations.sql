-- Four iterations of 20 ms: a kernel of 10 ms, of which 4 ms are page faults of 1 MB, and 10 ms of the host, in
-- which a fault and its movement of 1 MB take 2.5 ms. Untraced half of the kernel's faults count, 2 ms, and 1 MB
-- takes 1 ms as a copy at 1 GB/s: 4 x 1 ms of the kernels, 4 x 1.5 ms of the host. At the low end a quarter counts,
-- and the copy takes that; of the host 4 x 1.39 ms. At the high end it is 4 x 4 + 4 x 2.5 ms.
INSERT INTO functions VALUES (22, 'cudaMallocManaged', 'alloc');
INSERT INTO metadata VALUES
  ('managed_memory', 'on'), ('pinned_h2d_bytes_per_s', '1000000000'),
  ('pinned_h2d_latency_ns', '0'), ('pinned_d2h_bytes_per_s', '1000000000'),
  ('pinned_d2h_latency_ns', '0');
INSERT INTO call VALUES ('cudaMallocManaged', NULL, NULL, 1, -1, -1);
CREATE TEMP TABLE step AS SELECT n FROM number WHERE n < 4;
UPDATE rounds SET times = 4, ms = 20;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 10, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0, 10);
UPDATE rounds SET times = 1;
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 80, 80);
INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags)
SELECT 4, 1000000000 + (20 * n + f) * 1000000, 1000000000 + (20 * n + f + 2) * 1000000, 61000000, 7, 1
FROM step, (SELECT 1 f UNION ALL SELECT 3) UNION ALL
SELECT 1, 1001000000 + 20000000 * n, 1001500000 + 20000000 * n, 61000000, 1000000, 3 FROM step UNION ALL
SELECT 3, 1011500000 + 20000000 * n, NULL, 61000000, 4096, 1 FROM step UNION ALL
SELECT 2, 1012000000 + 20000000 * n, 1014000000 + 20000000 * n, 61000000, 1000000, 3 FROM step;
-- Found:
wall 81 ms, overlapped 0 ms, lost 18.5 (14.1667 to 32) ms, replayed 81 ms
managed-fault app.cu:41, 4 times, blocked 56 ms, lost 10 (5.55556 to 26) ms
  at 1 ms for 14 ms: operation 1
  at 21 ms for 14 ms: operation 2
  at 41 ms for 14 ms: operation 3
sync-in-loop app.cu:42, 1 times, blocked 10 ms, lost 10 (10 to 10) ms
  in the order of the list: 8.5 ms
  at 1 ms for 10 ms: call 3 operation 2 cause 1, stream 10 ms
not seen: sync-in-loop: 2 20
not seen: managed memory: 4 4 40
managed-fault finds 4 waits, and 0 as replayed
