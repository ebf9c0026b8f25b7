-- Near-miss: as again.sql, but three steps, and the buffer is freed after each (1 ms) and allocated before the next
-- one (1 ms), at the same address.
INSERT INTO allocation VALUES (61000000, 1000000);
INSERT INTO chunk
  SELECT 1, 1, 13, 30, 42 * n + 1, 42 * n + 1, 42 * n + 11, 42 * n + 31 FROM number WHERE n < 3;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 2)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 33, 42 * n + 1, 42 * n + 41 FROM step
  UNION ALL SELECT 'cudaMalloc', NULL, NULL, 70, 42 * n, 42 * n + 1 FROM step
  UNION ALL SELECT 'cudaFree', NULL, NULL, 71, 42 * n + 41, 42 * n + 42 FROM step;
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 2147483648 + 7 WHERE site_id = 30;
UPDATE calls SET dst = 51000000 WHERE site_id IN (70, 71);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
INSERT INTO allocations (time_ns, is_release, memory_kind, address, size_bytes)
  SELECT start_ns + 500000, 0, 3, 51000000, 1000000 FROM calls WHERE site_id = 70;
-- Found:
wall 126 ms, overlapped 0 ms, lost 2 (1 to 2) ms, replayed 126 ms
sync-in-loop app.cu:33, 2 times, blocked 80 ms, lost 2 (1 to 2) ms
  at 1 ms for 40 ms: call 5 operation 4 cause 3, stream 40 ms
  at 43 ms for 40 ms: call 11 operation 7 cause 6, stream 40 ms
