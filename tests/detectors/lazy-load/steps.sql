-- Six levels, each with a kernel of its own, which is launched three times (3 ms). Its result is copied back
-- (1 ms), for which the host waits, and then decides for 1 ms what is next. The first launch of a kernel
-- takes 3 ms, of which CUPTI says that 2 are loading: 18 ms a level. The first level is the start: only in it
-- does the thread launch again what it launched before a wait. Without loading in the others the run takes
-- 10 ms less than 107; if their launches take no longer than the others 15 less.
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5)
INSERT INTO strings SELECT 10 + n, '_Z6level' || n || 'Pf' FROM level;
CREATE TABLE step AS
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5),
  launch(k, enter, leave) AS (VALUES (0, 0, 3), (1, 8, 8), (2, 13, 13))
  SELECT n, 18 * n + enter AS enter, 18 * n + leave AS leave FROM level, launch ORDER BY n, k;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 61, enter, leave, leave, leave + 3, NULL, NULL FROM step;
UPDATE operations SET name_id = 10 + (id - 1) / 3;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 13, 62, leave, leave, leave + 3, leave + 4, 11000000, 61000000 FROM step;
INSERT INTO call SELECT 'cudaStreamSynchronize', 13, NULL, 63, leave + 1, leave + 4 FROM step;
INSERT INTO overheads (kind, start_ns, end_ns, thread_id)
  SELECT 327680, start_ns + 500000, start_ns + 2500000, 100 FROM calls
  WHERE site_id = 61 AND end_ns - start_ns = 3000000;
-- Found:
wall 107 ms, overlapped 0 ms, lost 10 (10 to 15) ms, replayed 107 ms
lazy-load app.cu:61, 5 times, blocked 15 ms, lost 10 (10 to 15) ms
  at 18 ms for 3 ms: call 10 operation 7, unexplained 3 ms
  at 36 ms for 3 ms: call 19 operation 13, unexplained 3 ms
  at 54 ms for 3 ms: call 28 operation 19, unexplained 3 ms
not seen: sync-in-loop: 17 51
