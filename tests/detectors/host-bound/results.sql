-- As workers.sql, with a result that comes back at 33 ms: the fifth batch may need it, and is prepared behind it, for
-- 7 ms. Nor can a later one be prepared before. With four workers batches 2 to 4 come at 8, 10 and 12 ms, the result at
-- 15, the fifth batch at 22, all others from 30 ms on, the last of them done at 38: 44 ms saved. With three the last
-- one begins at 30: 42 ms, more than 95 % of that. With two, as at the low end, it is 36 ms.
-- Base: host-bound/workers.sql
UPDATE rounds SET times = 1;
INSERT INTO operation VALUES ('d2h', 'pinned', 13, 43, 32, 32, 32, 33, 9000000, 50000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 44, 32, 33);
-- Found:
wall 82 ms, overlapped 0 ms, lost 49 (39 to 51) ms, replayed 82 ms
host-bound app.cu:40, 7 times, blocked 56 ms, lost 42 (36 to 44) ms
  at 2 ms for 8 ms: call 4 operation 3
  at 12 ms for 8 ms: call 7 operation 5
  at 22 ms for 8 ms: call 10 operation 7
sync-in-loop app.cu:44, 1 times, blocked 1 ms, lost 1 (1 to 1) ms
  at 32 ms for 1 ms: call 14 operation 10 cause 9, stream 1 ms
sync-in-loop app.cu:42, 7 times, blocked 14 ms, lost 12 (12 to 12) ms
  in the order of the list: 6 ms
  at 0 ms for 2 ms: call 3 operation 3 cause 2, stream 2 ms
  at 10 ms for 2 ms: call 6 operation 5 cause 4, stream 2 ms
  at 20 ms for 2 ms: call 9 operation 7 cause 6, stream 2 ms
not seen: sync-in-loop: 1 2
not seen: host-bound: 1 7
