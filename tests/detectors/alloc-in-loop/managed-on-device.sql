-- As managed.sql, but the host reads nothing, and the kernels have the memory moved to the device: kept, it would be
-- there at the host's next touch, which then is a page fault as before. 4 x (1 + 2) ms.
-- Base: alloc-in-loop/managed.sql
DELETE FROM managed_memory WHERE kind = 2 OR flags = 1;
INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags)
  SELECT 1, 1004000000 + (at + (n = 2)) * 1000000, 1004000100 + (at + (n = 2)) * 1000000, 61000000, 4096, 2 FROM step;
-- Found:
wall 61 ms, overlapped 0 ms, lost 16 (16 to 16) ms, replayed 61 ms
alloc-in-loop app.cu:70, 4 times, blocked 4 ms, lost 12 (12 to 12) ms
  at 12 ms for 1 ms: call 5
  at 24 ms for 1 ms: call 9
  at 37 ms for 1 ms: call 13
sync-in-loop app.cu:73, 1 times, blocked 5 ms, lost 4 (4 to 4) ms
  at 3 ms for 5 ms: call 3 operation 2 cause 1, stream 5 ms
managed-fault app.cu:72, 5 times, blocked 25 ms, lost 0 (0 to 0.0005) ms, folded
  at 3 ms for 5 ms: operation 1
  at 15 ms for 5 ms: operation 2
  at 28 ms for 5 ms: operation 3
not seen: sync-in-loop: 3 15
not seen: managed memory: 20.5 5 25
managed-fault finds 5 waits, and 0 as replayed
