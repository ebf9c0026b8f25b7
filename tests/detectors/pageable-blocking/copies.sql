-- cudaMemcpy of pageable memory, in and out, three times over the same buffers. Pinned, a copy takes 2
-- instead of 10 ms (1 MB at 0.5 GB/s); the calls still wait for their copies: 6 x 8 = 48 ms less. At
-- 0.45 and 0.55 GB/s it is 6 x 7.78 and 6 x 8.18 ms. Making them asynchronous saves nothing more: all
-- is in one stream.
INSERT INTO metadata VALUES
  ('pinned_h2d_bytes_per_s', '500000000'), ('pinned_d2h_bytes_per_s', '500000000'),
  ('pinning_bytes_per_s', '1000000000'), ('pinning_latency_ns', '1000000');
INSERT INTO operation VALUES
  ('h2d', 'pageable', 7, 10,   0,  10,   0,  10, 1000000, 51000000),
  ('kernel', NULL,    7, 11,  10,  10,  10,  20, NULL, NULL),
  ('d2h', 'pageable', 7, 12,  10,  30,  20,  30, 11000000, 61000000),
  ('h2d', 'pageable', 7, 10,  40,  50,  40,  50, 1000000, 51000000),
  ('kernel', NULL,    7, 11,  50,  50,  50,  60, NULL, NULL),
  ('d2h', 'pageable', 7, 12,  50,  70,  60,  70, 11000000, 61000000),
  ('h2d', 'pageable', 7, 10,  80,  90,  80,  90, 1000000, 51000000),
  ('kernel', NULL,    7, 11,  90,  90,  90, 100, NULL, NULL),
  ('d2h', 'pageable', 7, 12,  90, 110, 100, 110, 11000000, 61000000);
INSERT INTO made_by VALUES (10, 'cudaMemcpy'), (12, 'cudaMemcpy');
-- Found:
wall 110 ms, overlapped 0 ms, lost 48 (46.6667 to 49.0909) ms, replayed 110 ms
pageable-blocking app.cu:12, 3 times, blocked 60 ms, lost 24 (23.3333 to 24.5455) ms
  at 10 ms for 20 ms: call 3 operation 3 cause 2, stream 10 ms, copy 10 ms
  at 50 ms for 20 ms: call 6 operation 6 cause 5, stream 10 ms, copy 10 ms
  at 90 ms for 20 ms: call 9 operation 9 cause 8, stream 10 ms, copy 10 ms
pageable-blocking app.cu:10, 3 times, blocked 30 ms, lost 24 (23.3333 to 24.5455) ms
  at 0 ms for 10 ms: call 1 operation 1, copy 10 ms
  at 40 ms for 10 ms: call 4 operation 4, copy 10 ms
  at 80 ms for 10 ms: call 7 operation 7, copy 10 ms
