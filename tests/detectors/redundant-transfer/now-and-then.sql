-- Near-miss: as again.sql, but the input changes in the third and the fourth step; only in the second it is what it was
-- before: the line is needed.
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 1000000);
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out)
  SELECT 1, 1, 13, 30, 40 * n, 40 * n, 40 * n + 10, 40 * n + 30 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 33, 40 * n, 40 * n + 40 FROM step;
INSERT INTO launch (call, reads, writes) SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 2147483648 + iif(id < 5, 7, 100 + id) WHERE site_id = 30;
