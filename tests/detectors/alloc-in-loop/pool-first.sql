-- Near-miss: as pool.sql, but each round's size is a new one: no release before it was of as much.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaMallocAsync', 'alloc');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaMallocAsync', 23, NULL, 70, 20 * n, 20 * n + 4 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 71, 20 * n + 4, 20 * n + 5, 20 * n + 5, 20 * n + 10, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 23, 72, 20 * n + 5, 20 * n + 5, 20 * n + 10, 20 * n + 12, 11000000, 61000000 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaFreeAsync', 23, NULL, 73, 20 * n + 5, 20 * n + 6 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 23, NULL, 74, 20 * n + 6, 20 * n + 17 FROM round;
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 73);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
UPDATE calls SET correlation_id = 1000 + id WHERE site_id = 74;
INSERT INTO memory_pools (time_ns, operation, type, device_id, address, size_bytes, utilized_bytes,
                          release_threshold_bytes, kept_bytes, correlation_id)
  SELECT end_ns, 3, 1, 0, 900000000, 0, 0, 0, 0, correlation_id FROM calls WHERE site_id = 74;
UPDATE calls SET size_bytes = 1000000 + id WHERE site_id = 70;
