-- Near-miss: as branches.sql, but the nodes take 2 us: a second stream saves less than 5 us a launch.
-- Base: graph-serial/branches.sql
UPDATE operations SET start_ns = 1000000000 + (start_ns - 1000000000) / 5000, end_ns = 1000000000 + (end_ns - 1000000000) / 5000;
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
