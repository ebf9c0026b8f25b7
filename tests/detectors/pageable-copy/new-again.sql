-- Three results of 1 MB to memory at one address, which the host frees each time (in the 10 ms before the next
-- kernel): copies of 10 ms. To touched memory one takes 2 ms (0.5 GB/s) and page faults 4 ms (0.25 GB/s), so
-- that they went to new memory: more than 2 + 4 / 2. A fourth takes 3 ms: its memory was not freed. Pinned,
-- each takes 2 ms: 3 x 8 + 1. What gives 1 MB back takes 1 ms (1 GB/s), twice: 27 ms in all. The low end keeps
-- that, and copies at 0.45 GB/s: 25 - 4 x 0.2222.
INSERT INTO metadata VALUES
  ('pinned_d2h_bytes_per_s', '500000000'), ('pinning_bytes_per_s', '250000000'),
  ('pinning_latency_ns', '1000000'), ('page_faults_bytes_per_s', '250000000'),
  ('staged_d2h_bytes_per_s', '500000000'), ('unmapping_bytes_per_s', '1000000000');
INSERT INTO operation VALUES
  ('kernel', NULL,    13, 11,  0,  0,  0, 10, NULL, NULL),
  ('d2h', 'pageable', 13, 12,  0, 20, 10, 20, 11000000, 61000000),
  ('kernel', NULL,    13, 11, 30, 30, 30, 40, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 30, 50, 40, 50, 11000000, 61000000),
  ('kernel', NULL,    13, 11, 60, 60, 60, 70, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 60, 80, 70, 80, 11000000, 61000000),
  ('kernel', NULL,    13, 11, 90, 90, 90, 100, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 90, 103, 100, 103, 11000000, 61000000);
-- Found:
wall 103 ms, overlapped 0 ms, lost 27 (24.1111 to 55.7273) ms, replayed 103 ms
pageable-copy app.cu:12, 4 times, blocked 73 ms, lost 27 (24.1111 to 55.7273) ms
  at 0 ms for 20 ms: call 2 operation 2 cause 1, stream 10 ms, copy 10 ms
  at 30 ms for 20 ms: call 4 operation 4 cause 3, stream 10 ms, copy 10 ms
  at 60 ms for 20 ms: call 6 operation 6 cause 5, stream 10 ms, copy 10 ms
  fix: the other one
