-- Three copies of 1 MB from device 0 to device 1, each behind a kernel of 10 ms: 20 ms each, 50 MB/s. To pinned host
-- memory it is 500 MB/s: over NVLink, six times as fast, 0.33 ms instead of 20, and at the low end 2 ms.
-- Base: scenes/peers.sql
INSERT INTO metadata VALUES
  ('pinned_d2h_bytes_per_s', '500000000'), ('pinned_d2h_latency_ns', '0');
-- Found:
wall 90 ms, overlapped 0 ms, lost 59 (54 to 60) ms, replayed 90 ms
device 0: 90 ms, replayed 90 ms, lost 59 ms
device 1: 10 ms, replayed 10 ms, lost 0 ms
peer-staged app.cu:31, 3 times, blocked 60 ms, lost 59 (54 to 60) ms
  at 10 ms for 20 ms: operation 3
  at 40 ms for 20 ms: operation 5
  at 70 ms for 20 ms: operation 7
