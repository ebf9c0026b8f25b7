-- Near-miss: as hot.sql, but each time of another size: one buffer would not do.
-- Base: alloc-in-loop/hot.sql
UPDATE calls SET size_bytes = 1000000 * id WHERE site_id = 70;
-- Found:
wall 99 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 99 ms
not seen: blocking-copy: 4 48
