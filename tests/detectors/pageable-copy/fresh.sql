-- Three results, each to other memory, which the host reads: copies of 10, 10 and 3 ms, pinned 2 (1 MB
-- at 0.5 GB/s). 17 ms less; pinning 1 MB takes 5 ms and pays after one copy of 5.67 ms. Page faults in
-- new memory: 1 MB at 0.25 GB/s is 4 ms, so that the copy of 3 ms went to memory that was in use.
INSERT INTO metadata VALUES
  ('pinned_d2h_bytes_per_s', '500000000'), ('pinning_bytes_per_s', '250000000'),
  ('pinning_latency_ns', '1000000'), ('page_faults_bytes_per_s', '250000000');
INSERT INTO operation VALUES
  ('kernel', NULL,    13, 11,  0,  0,  0, 10, NULL, NULL),
  ('d2h', 'pageable', 13, 12,  0, 20, 10, 20, 11000000, 61000000),
  ('kernel', NULL,    13, 11, 30, 30, 30, 40, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 30, 50, 40, 50, 12000000, 61000000),
  ('kernel', NULL,    13, 11, 60, 60, 60, 70, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 60, 73, 70, 73, 13000000, 61000000);
-- Found:
wall 73 ms, overlapped 0 ms, lost 17 (16.3333 to 37.5455) ms, replayed 73 ms
pageable-copy app.cu:12, 3 times, blocked 53 ms, lost 17 (16.3333 to 37.5455) ms
  at 0 ms for 20 ms: call 2 operation 2 cause 1, stream 10 ms, copy 10 ms
  at 30 ms for 20 ms: call 4 operation 4 cause 3, stream 10 ms, copy 10 ms
  at 60 ms for 13 ms: call 6 operation 6 cause 5, stream 10 ms, copy 3 ms
  fix: the other one
