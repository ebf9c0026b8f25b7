-- Near-miss: as mapped.sql, in a trace of more streams than are followed for what kernels write: no argument
-- counts, and the pinned memory may be what any kernel writes.
-- Base: results/mapped.sql
WITH RECURSIVE stream(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM stream WHERE n < 3100)
INSERT INTO streams (context_id, id, flag, priority, handle) SELECT 1, n, 2, 0, 100 * n FROM stream;
-- Found:
wall 60 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 60 ms
not seen: sync-in-loop: 1 28
