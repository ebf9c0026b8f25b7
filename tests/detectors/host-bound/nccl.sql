-- As in prepares.sql, beside NCCL: it has pinned memory that no copy uses, and another thread asks meanwhile whether
-- collectives are done, until 13 ms. Neither says that the host needs results.
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
SELECT * FROM (
  SELECT 'h2d', 'pinned', 13, 40, 6 * n at, 6 * n, 6 * n, 6 * n + 1, 1000000, 50000000 FROM s
  UNION ALL SELECT 'kernel', NULL, 13, 41, 6 * n, 6 * n, 6 * n + 1, 6 * n + 3, NULL, NULL FROM s)
ORDER BY at;
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 4)
INSERT INTO call (function, stream, line, enter, leave)
SELECT 'cudaStreamSynchronize', 13, 42, 6 * n, 6 * n + 3 FROM s;
INSERT INTO functions (id, name, class) VALUES (30, 'cuMemHostAlloc', 'host-alloc'),
  (31, 'cudaEventQuery', 'event-query');
INSERT INTO modules VALUES (2, '/usr/lib/x86_64-linux-gnu/libnccl.so.2', NULL);
UPDATE frames SET module_id = 2, function = NULL, file = NULL, line = NULL WHERE site_id = 90;
INSERT INTO call (function, line, enter, leave) VALUES ('cuMemHostAlloc', 90, 0, 0);
UPDATE calls SET dst = 77000000, size_bytes = 65536 WHERE site_id = 90;
INSERT INTO threads VALUES (101, 'watchdog');
WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < 13)
INSERT INTO call (function, line, enter, leave) SELECT 'cudaEventQuery', 91, n, n FROM s;
UPDATE calls SET thread_id = 101, start_ns = start_ns + 500000, end_ns = end_ns + 501000 WHERE site_id = 91;
