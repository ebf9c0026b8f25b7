-- Near-miss: as likely.sql, but all bytes were hashed of the first because it has only 300: that says nothing of what is
-- between the lines of the second.
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (52000000, 1000000),
  (61000000, 1000000), (62000000, 1000000);
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 11)
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out)
  SELECT 1 + n % 2, 1 + n % 2, 13, 30, 40 * n, 40 * n, 40 * n + 10, 40 * n + 30 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 11)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 33, 40 * n, 40 * n + 40 FROM step;
INSERT INTO launch (call, reads, writes)
  SELECT id, 51000000 + id / 3 % 2 * 1000000, 61000000 + id / 3 % 2 * 1000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = CASE dst WHEN 51000000 THEN 2147483648 + 9 ELSE 5 END WHERE site_id = 30;
UPDATE operations SET size_bytes = 300 WHERE correlation_id IN (SELECT id FROM calls WHERE site_id = 30 AND dst = 51000000);
UPDATE calls SET size_bytes = 300 WHERE site_id = 30 AND dst = 51000000;
