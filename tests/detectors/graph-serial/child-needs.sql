-- Near-miss: what the first child graph wrote last, the second reads.
-- Base: graph-serial/child-graphs.sql
UPDATE launch_arguments SET address = 51000000 WHERE id = 4 AND position = 0;
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
