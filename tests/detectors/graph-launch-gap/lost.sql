-- Near-miss: as copied.sql, but the device's records of the graphs are lost: when their streams were idle is not known.
-- Base: graph-launch-gap/copied.sql
DELETE FROM operations WHERE kind = 1;
-- Found:
wall 65 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 65 ms
