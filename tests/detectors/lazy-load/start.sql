-- Near-miss: six kernels are loaded (3 ms each) and waited for; only then does the program launch them
-- again, twice: it is the start.
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5)
INSERT INTO strings SELECT 10 + n, '_Z6level' || n || 'Pf' FROM level;
CREATE TABLE step AS
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5),
  round(k, enter, each, own) AS (VALUES (0, 0, 8, 3), (1, 48, 5, 0), (2, 78, 5, 0))
  SELECT n, enter + each * n AS enter, enter + each * n + own AS leave FROM level, round ORDER BY k, n;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 61, enter, leave, leave, leave + 3, NULL, NULL FROM step;
UPDATE operations SET name_id = 10 + (id - 1) % 6;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 13, 62, leave, leave, leave + 3, leave + 4, 11000000, 61000000 FROM step;
INSERT INTO call SELECT 'cudaStreamSynchronize', 13, NULL, 63, leave + 1, leave + 4 FROM step;
INSERT INTO overheads (kind, start_ns, end_ns, thread_id)
  SELECT 327680, start_ns + 500000, start_ns + 2500000, 100 FROM calls
  WHERE site_id = 61 AND end_ns - start_ns = 3000000;
-- Found:
wall 107 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 107 ms
not seen: sync-in-loop: 17 51
