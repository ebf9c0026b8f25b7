-- As halo.sql, where a direct copy was measured at 1000 MB/s: 1 ms instead of 20, also at the low end.
-- Base: scenes/peers.sql
INSERT INTO metadata VALUES
  ('pinned_d2h_bytes_per_s', '500000000'), ('pinned_d2h_latency_ns', '0'),
  ('peer_bytes_per_s', '1000000000');
-- Found:
wall 90 ms, overlapped 0 ms, lost 57 (57 to 60) ms, replayed 90 ms
device 0: 90 ms, replayed 90 ms, lost 57 ms
device 1: 10 ms, replayed 10 ms, lost 0 ms
peer-staged app.cu:31, 3 times, blocked 60 ms, lost 57 (57 to 60) ms
  at 10 ms for 20 ms: operation 3
  at 40 ms for 20 ms: operation 5
  at 70 ms for 20 ms: operation 7
