-- Three results, each to other memory, which the host reads: copies of 10, 10 and 3 ms, pinned 2 (1 MB
-- at 0.5 GB/s). 17 ms less; pinning 1 MB takes 5 ms and pays after one copy of 5.67 ms. Page faults in
-- new memory: 1 MB at 0.25 GB/s is 4 ms, so that the copy of 3 ms went to memory that was in use.
INSERT INTO metadata VALUES ('pinned_d2h_bytes_per_s', '500000000'), ('pinning_bytes_per_s', '250000000'),
  ('pinning_latency_ns', '1000000'), ('page_faults_bytes_per_s', '250000000');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,    13, 11,  0,  0,  0, 10, NULL, NULL),
  ('d2h', 'pageable', 13, 12,  0, 20, 10, 20, 11000000, 61000000),
  ('kernel', NULL,    13, 11, 30, 30, 30, 40, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 30, 50, 40, 50, 12000000, 61000000),
  ('kernel', NULL,    13, 11, 60, 60, 60, 70, NULL, NULL),
  ('d2h', 'pageable', 13, 12, 60, 73, 70, 73, 13000000, 61000000);
