-- As small-kernels, but how the buffers were allocated is not in the trace, for example because another
-- process did: equal pointers are the same memory, others not.
-- Base: default-stream/small-kernels.sql
DELETE FROM allocations;
-- Found:
wall 32 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 32 ms
default-stream app.cu:21, 7 times, blocked 76 ms, lost 25 (25 to 25) ms
  at 0 ms for 24 ms: operation 7 cause 6
  at 0 ms for 16 ms: operation 5 cause 4
  at 0 ms for 8 ms: operation 3 cause 2
not seen: memory of unknown origin: 16 16
