-- Two kernels of a line fault on 1 MB each, as in iterations.sql: the first use of what the host has made. A third
-- finds its memory prefetched, and the host touches nothing.
INSERT INTO metadata VALUES
  ('managed_memory', 'on'), ('pinned_h2d_bytes_per_s', '1000000000'),
  ('pinned_h2d_latency_ns', '0');
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 10, NULL, NULL),
  ('kernel', NULL, 13, 41, 0, 0, 10, 20, NULL, NULL),
  ('kernel', NULL, 13, 41, 0, 0, 20, 30, NULL, NULL);
INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags) VALUES
  (4, 1001000000, 1003000000, 61000000, 7, 1), (1, 1002000000, 1003000000, 61000000, 1000000, 2),
  (4, 1011000000, 1013000000, 62000000, 7, 1), (1, 1012000000, 1013000000, 62000000, 1000000, 2),
  (1, 1021000000, 1022000000, 63000000, 1000000, 1);
-- Found:
wall 30 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 30 ms
not seen: managed memory: 2 2 20
