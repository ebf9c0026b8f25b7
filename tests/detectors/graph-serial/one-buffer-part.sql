-- Near-miss: the copies overwrite half of the buffer. The second kernel may read what the first one has left behind them.
-- Base: graph-serial/one-buffer.sql
UPDATE allocations SET size_bytes = 1900000 WHERE address = 51000000;
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
