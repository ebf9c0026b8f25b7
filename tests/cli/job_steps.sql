-- A rank of a job of two, behind tests/support/prelude.sql and a table `rank` with one row: the rank, its process,
-- how long it copies a pageable batch in each step (ms, 0: no copy), and how much the other one does.
-- A step: the copy, which blocks the host (line 10), a kernel of 20 ms (line 11), an all-reduce that ends
-- 5 ms after the last rank came (line 12), and a synchronize (line 13). 20 steps, one behind the other.
INSERT INTO metadata
  SELECT 'rank', rank FROM rank UNION ALL SELECT 'process_id', process FROM rank UNION ALL
  SELECT 'ranks', 2 UNION ALL SELECT 'run', 'pmix:7' UNION ALL SELECT 'host', 'node1' UNION ALL
  SELECT 'pinned_h2d_bytes_per_s', 1000000000 UNION ALL SELECT 'pinned_h2d_latency_ns', 0;
INSERT INTO strings VALUES (20, '_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL4args');
INSERT INTO communicators SELECT 1, '0123456789abcdef', rank, 2, 0, 900000000, NULL FROM rank;
CREATE TABLE step AS
  WITH RECURSIVE at(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM at WHERE n < 19)
  SELECT n, n * (25 + max(copy, other)) AS t, copy, n * (25 + max(copy, other)) + 20 + max(copy, other) AS last
  FROM at, rank;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pageable', 13, 10, t, t + copy, t, t + copy, 1000000, 51000000 FROM step WHERE copy
  UNION ALL SELECT 'kernel', NULL, 13, 11, t + copy, t + copy, t + copy, t + copy + 20, NULL, NULL FROM step
  UNION ALL SELECT 'kernel', NULL, 13, 12, t + copy, t + copy, t + copy + 20, last + 5, NULL, NULL FROM step
  ORDER BY 6, 4;
UPDATE operations SET name_id = 20 WHERE correlation_id IN (SELECT correlation_id FROM calls WHERE site_id = 12);
INSERT INTO call (function, stream, line, enter, leave)
  SELECT 'cudaDeviceSynchronize', NULL, 13, t + copy, last + 5 FROM step;
INSERT INTO collectives
  SELECT NULL, 1, n, 1, 1000000, 7, NULL, 1300, 100, 1000000000 + (t + copy) * 1000000,
    1000000000 + (t + copy) * 1000000, NULL, 12 FROM step;
DROP TABLE step;
DROP TABLE rank;
