-- Near-miss: as pool.sql, but each round's size is a new one: no release before it was of as much.
-- Base: alloc-in-loop/pool.sql
UPDATE calls SET size_bytes = 1000000 + id WHERE site_id = 70;
-- Found:
wall 97 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 97 ms
not seen: sync-in-loop: 4 24
