-- Near-miss: as apart.sql, but the fourth differs from the second: the lines do not tell.
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 1000000);
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 4)
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out)
  SELECT 1, 1, 13, 30, 40 * n, 40 * n, 40 * n + 10, 40 * n + 30 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 33, 40 * n, 40 * n + 40 FROM step;
INSERT INTO launch (call, reads, writes) SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = CASE id WHEN 4 THEN 2147483648 + 9 WHEN 10 THEN 2147483648 + 8 ELSE 7 END
  WHERE site_id = 30;
