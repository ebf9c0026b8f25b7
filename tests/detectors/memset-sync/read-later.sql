-- The same as read.sql, but the host synchronizes with the first stream before it enqueues more there: it
-- does not rely on the wait of the set, and the low end drops it, too.
-- Base: memset-sync/read.sql
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 66, 43, 43);
-- Found:
wall 72 ms, overlapped 0 ms, lost 21 (21 to 21) ms, replayed 72 ms
memset-sync app.cu:62, 1 times, blocked 40 ms, lost 21 (21 to 21) ms
  at 1 ms for 40 ms: call 3 operation 4 cause 3 needed 2, other streams 39 ms, copy 1 ms
