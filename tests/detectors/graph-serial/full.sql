-- Near-miss: as branches.sql, but each kernel fills the device (132 x 32 blocks): side by side they would take
-- turns.
-- Base: graph-serial/branches.sql
UPDATE operations SET grid_x = 4224;
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
