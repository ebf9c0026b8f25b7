-- Near-miss: as pool.sql, but the pool keeps 1 MB through each wait. Why calls take long is not known.
-- Base: scenes/pool.sql
INSERT INTO memory_pools (time_ns, operation, type, device_id, address, size_bytes, utilized_bytes,
                          release_threshold_bytes, kept_bytes, correlation_id)
  SELECT end_ns, 3, 1, 0, 900000000, 1000000, 0, 0, 0, correlation_id FROM calls WHERE site_id = 74;
-- Found:
wall 97 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 97 ms
not seen: sync-in-loop: 4 24
