-- As counted.sql, but the kernel is told 1 and 2 in turn: the same is told again, but not because the loop began again.
-- Nothing is found.
-- Base: readback-in-loop/counted.sql
UPDATE calls SET numbers = 1 + (start_ns - 1000000000) / 20000000 % 2 WHERE site_id = 40;
-- Found:
wall 2995 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 2995 ms
not seen: sync-in-loop: 150 1.5
not seen: kernel arguments: 10 160
