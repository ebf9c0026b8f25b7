-- As again.sql, but from pageable memory: the call stages the data and returns when the copy is done (10 ms), and the
-- rest of the step is enqueued then. Pinned, a copy takes 2 ms (1 MB at 0.5 GB/s): 4 x 8 = 32 of 160 ms. Not sending
-- the last three saves 30 ms alone, and behind that 3 x 2 = 6 ms more.
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 1000000);
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pageable', 13, 30, 40 * n, 40 * n + 10, 40 * n, 40 * n + 10, 1000000, 51000000 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 31, 40 * n + 10, 40 * n + 10, 40 * n + 10, 40 * n + 30, NULL, NULL FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 13, 32, 40 * n + 10, 40 * n + 10, 40 * n + 30, 40 * n + 40, 11000000, 61000000 FROM step;
WITH RECURSIVE step(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM step WHERE n < 3)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 33, 40 * n + 10, 40 * n + 40 FROM step;
INSERT INTO launch (call, reads, writes) SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 2147483648 + 7 WHERE site_id = 30;
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
