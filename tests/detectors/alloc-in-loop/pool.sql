-- Five rounds, 20 ms each: cudaMallocAsync() (4 ms, for the pool has no memory), a kernel (1 ms to launch, 5 ms),
-- a copy of the result (2 ms), cudaFreeAsync() (1 ms), and a wait that ends 5 ms behind the copy, for it gives
-- the pool's memory back; the host reads for 3 ms. A pool that keeps its memory serves each of four allocations
-- in 1 ms, as it takes memory back, and each of the waits before them returns as soon: 4 x (3 + 4) of 97 ms.
-- Base: scenes/pool.sql
INSERT INTO memory_pools (time_ns, operation, type, device_id, address, size_bytes, utilized_bytes,
                          release_threshold_bytes, kept_bytes, correlation_id)
  SELECT end_ns, 3, 1, 0, 900000000, 0, 0, 0, 0, correlation_id FROM calls WHERE site_id = 74;
-- Found:
wall 97 ms, overlapped 0 ms, lost 28 (28 to 28) ms, replayed 97 ms
alloc-in-loop app.cu:70, 4 times, blocked 16 ms, lost 28 (28 to 28) ms
  at 20 ms for 4 ms: call 6
  at 40 ms for 4 ms: call 11
  at 60 ms for 4 ms: call 16
not seen: sync-in-loop: 4 24
