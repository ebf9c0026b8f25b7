-- As halo.sql, on a machine where the two devices cannot reach each other.
-- Base: scenes/peers.sql
INSERT INTO metadata VALUES
  ('pinned_d2h_bytes_per_s', '500000000'), ('pinned_d2h_latency_ns', '0'),
  ('peer_bytes_per_s', '0');
-- Found:
wall 90 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 90 ms
device 0: 90 ms, replayed 90 ms, lost 0 ms
device 1: 10 ms, replayed 10 ms, lost 0 ms
