-- Near-miss: as in.sql, but the host reads a clock right behind cudaMemcpy, which counts as needed.
-- Base: blocking-copy/in.sql
INSERT INTO clock_reads (thread_id, time_ns, module_id) VALUES (100, 1040000000, 1);
-- Found:
wall 60 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 60 ms
not seen: blocking-copy: 1 39
