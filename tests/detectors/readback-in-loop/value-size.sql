-- As value.sql, but the value of 4 bytes cannot be the double, and the kernel may be told how often to repeat: nothing
-- is found.
-- Base: readback-in-loop/told.sql
UPDATE strings SET text = '_Z4workPfid' WHERE id = 1;
-- Found:
wall 192 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 192 ms
not seen: sync-in-loop: 9 90
