-- Near-miss: as awaited-back.sql, but a host function runs before the wait ends, which may change the field: what the
-- wait found is not what was fetched.
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 1000000);
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 2)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 7, 31, 50 * n, 50 * n, 50 * n, 50 * n + 20, NULL, NULL FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 2)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 7, 32, 50 * n, 50 * n, 50 * n + 20, 50 * n + 30, 11000000, 61000000 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 2)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 7, NULL, 36, 50 * n, 50 * n + 30 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 2)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pinned', 7, 33, 50 * n + 30, 50 * n + 30, 50 * n + 30, 50 * n + 40, 11000000, 61000000 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 2)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 7, 34, 50 * n + 30, 50 * n + 30, 50 * n + 40, 50 * n + 50, NULL, NULL FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 2)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 7, NULL, 35, 50 * n + 30, 50 * n + 50 FROM step;
INSERT INTO launch (call, reads, writes) SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
INSERT INTO launch (call, reads, writes) SELECT id, 61000000, 51000000 FROM calls WHERE site_id = 34;
UPDATE calls SET numbers = 2147483648 + 100 + id, object = 2147483648 + 100 + id WHERE site_id = 33;
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaLaunchHostFunc', 7, NULL, 37, 0, 0), ('cudaLaunchHostFunc', 7, NULL, 38, 50, 50),
  ('cudaLaunchHostFunc', 7, NULL, 39, 100, 100);
INSERT INTO host_function (line, start, end) VALUES (37, 29, 31), (38, 79, 81), (39, 129, 131);
