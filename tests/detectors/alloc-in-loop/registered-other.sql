-- Near-miss: as registered.sql, but each time other memory: it has to be registered each time.
-- Base: alloc-in-loop/registered.sql
UPDATE calls SET dst = 61000000 + 1000000 * (start_ns / 20000000) WHERE site_id IN (70, 74);
-- Found:
wall 99 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 99 ms
not seen: blocking-copy: 4 48
