-- Near-miss: as pool.sql, but the allocations are as quick as from memory that is there.
UPDATE rounds SET times = 5, ms = 20;
INSERT INTO call VALUES ('cudaMallocAsync', 23, NULL, 70, 3, 4);
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 71, 4, 5, 5, 10, NULL, NULL),
  ('d2h', 'pinned', 23, 72, 5, 5, 10, 12, 11000000, 61000000);
INSERT INTO call VALUES
  ('cudaFreeAsync', 23, NULL, 73, 5, 6),
  ('cudaStreamSynchronize', 23, NULL, 74, 6, 17);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 73);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
UPDATE calls SET correlation_id = 1000 + id WHERE site_id = 74;
INSERT INTO memory_pools (time_ns, operation, type, device_id, address, size_bytes, utilized_bytes,
                          release_threshold_bytes, kept_bytes, correlation_id)
  SELECT end_ns, 3, 1, 0, 900000000, 0, 0, 0, 0, correlation_id FROM calls WHERE site_id = 74;
-- Found:
wall 94 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 94 ms
not seen: sync-in-loop: 4 24
