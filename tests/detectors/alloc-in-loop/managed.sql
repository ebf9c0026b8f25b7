-- Five steps of 12 ms: managed memory is allocated (1 ms), the host's first touch of it is a page fault (2 ms), a kernel
-- uses it (5 ms), the host waits and reads it, which is a page fault that moves it back (2 ms), and it is freed (2 ms).
-- Kept, the memory saves 4 x (1 + 2) ms of the calls, and 4 x 2 ms of first touches: it is on the host then. Behind one
-- touch the host works for another ms, which stays: the run takes 61 ms. The low end keeps the touches.
INSERT INTO functions VALUES (22, 'cudaMallocManaged', 'alloc');
INSERT INTO metadata VALUES ('managed_memory', 'on');
CREATE TEMP TABLE step AS SELECT n, n * 12 + (n > 2) at FROM number WHERE n < 5;
INSERT INTO call SELECT 'cudaMallocManaged', NULL, NULL, 70, at, at + 1 FROM step;
INSERT INTO operation SELECT 'kernel', NULL, 13, 72, at + 3 + (n = 2), at + 3 + (n = 2), at + 3 + (n = 2), at + 8 + (n = 2), NULL, NULL FROM step;
INSERT INTO call SELECT 'cudaStreamSynchronize', 13, NULL, 73, at + 3 + (n = 2), at + 8 + (n = 2) FROM step;
INSERT INTO call SELECT 'cudaFree', NULL, NULL, 74, at + 10 + (n = 2), at + 12 + (n = 2) FROM step;
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags)
  SELECT 3, 1001000000 + at * 1000000, NULL, 61000000, 7, 2 FROM step UNION ALL
  SELECT 3, 1008000000 + (at + (n = 2)) * 1000000, NULL, 61000000, 7, 1 FROM step UNION ALL
  SELECT 2, 1008500000 + (at + (n = 2)) * 1000000, 1009500000 + (at + (n = 2)) * 1000000, 61000000, 4096, 2 FROM step;
-- Found:
wall 61 ms, overlapped 0 ms, lost 22 (16 to 22) ms, replayed 61 ms
alloc-in-loop app.cu:70, 4 times, blocked 4 ms, lost 20 (12 to 20) ms
  at 12 ms for 1 ms: call 5
  at 24 ms for 1 ms: call 9
  at 37 ms for 1 ms: call 13
sync-in-loop app.cu:73, 1 times, blocked 5 ms, lost 4 (4 to 4) ms
  in the order of the list: 2 ms
  at 3 ms for 5 ms: call 3 operation 2 cause 1, stream 5 ms
not seen: sync-in-loop: 3 15
