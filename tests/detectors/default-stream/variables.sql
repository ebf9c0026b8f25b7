-- Near-miss: as null-arguments, but the program has a __device__ variable, which all of them may use.
-- Base: default-stream/null-arguments.sql
INSERT INTO allocations (time_ns, is_release, memory_kind, address, size_bytes) VALUES (1, 0, 6, 51000000, 4);
-- Found:
wall 32 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 32 ms
not seen: kernel arguments: 8 8
