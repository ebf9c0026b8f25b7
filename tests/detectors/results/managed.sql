-- Near-miss: as mapped.sql, with managed memory.
-- Base: results/managed-not-seen.sql
INSERT INTO allocation VALUES (61000000, 1000000);
INSERT INTO launch VALUES (2, 61000000, 31500000);
-- Found:
wall 60 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 60 ms
not seen: sync-in-loop: 1 28
not seen: buffers in one allocation: 1 2
