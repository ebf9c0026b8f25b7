-- As hot.sql with pinned host memory: the fix says what pinning costs.
-- Base: alloc-in-loop/hot.sql
INSERT INTO made_by VALUES (70, 'cudaMallocHost'), (74, 'cudaFreeHost');
-- Found:
wall 99 ms, overlapped 0 ms, lost 24 (24 to 24) ms, replayed 99 ms
alloc-in-loop app.cu:70, 4 times, blocked 8 ms, lost 24 (24 to 24) ms
  at 20 ms for 2 ms: call 5
  at 40 ms for 2 ms: call 9
  at 60 ms for 2 ms: call 13
  fix: the other one
not seen: blocking-copy: 4 48
