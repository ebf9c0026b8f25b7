-- As counted.sql, but the numbers go on from one fifteen to the next, as the values may have told them: nothing is
-- found.
-- Base: readback-in-loop/counted.sql
UPDATE calls SET numbers = 1 + (start_ns - 1000000000) / 20000000 WHERE site_id = 40;
-- Found:
wall 2995 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 2995 ms
not seen: sync-in-loop: 150 1.5
not seen: kernel arguments: 10 160
