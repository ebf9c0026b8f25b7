-- As steps.sql, but with cudart linked in: of its launches the driver's call alone is recorded, 10 us behind the
-- loading that came before it. It begins with the loading, and the same is won.
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5)
INSERT INTO strings SELECT 10 + n, '_Z6level' || n || 'Pf' FROM level;
CREATE TABLE step AS
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5),
  launch(k, enter, leave) AS (VALUES (0, 0, 3), (1, 8, 8), (2, 13, 13))
  SELECT n, 18 * n + enter AS enter, 18 * n + leave AS leave FROM level, launch ORDER BY n, k;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 61, enter, leave, leave, leave + 3, NULL, NULL FROM step;
UPDATE operations SET name_id = 10 + (id - 1) / 3;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 13, 62, leave, leave, leave + 3, leave + 4, 11000000, 61000000 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 63, leave + 1, leave + 4 FROM step;
INSERT INTO overheads (kind, start_ns, end_ns, thread_id)
  SELECT 327680, start_ns + 500000, start_ns + 2500000, 100 FROM calls
  WHERE site_id = 61 AND end_ns - start_ns = 3000000;
UPDATE calls SET start_ns = start_ns + 2510000 WHERE site_id = 61 AND end_ns - start_ns = 3000000;
UPDATE calls SET api_path = 1;
