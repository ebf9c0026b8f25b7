-- Near-miss: as branches.sql, but edges of graphs are lost: the third node may have another one.
-- Base: graph-serial/branches.sql
INSERT INTO losses (kind, count, time_ns) VALUES ('graph-edges-lost', 1, 1000000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
not seen: graph-edges-lost: 1 100
not seen: kernel arguments: 8 8
