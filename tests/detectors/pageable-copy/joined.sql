-- The main thread starts two threads and joins both. One copies 1 MB of pageable memory in 24 ms, until 28;
-- the other waits for a pinned copy until 26. The main thread goes on at 29. From pinned memory the copy takes
-- 2 ms (0.5 GB/s) and its thread ends at 6: the main thread still has to join the other, and goes on at
-- 27. It saves 2 of 34 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO threads VALUES (101, 'app'), (102, 'app');
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 10, 0, 2);
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 20,  4, 28,  4, 28, 1000000, 51000000),
  ('d2h', 'pinned',   14, 30,  4,  4,  4, 26, 11000000, 61000000),
  ('kernel', NULL,    13, 40, 29, 29, 29, 34, NULL, NULL);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 14, NULL, 31, 4, 26),
  ('cudaStreamSynchronize', 13, NULL, 41, 29, 34);
UPDATE calls SET thread_id = 101 WHERE site_id = 20;
UPDATE calls SET thread_id = 102 WHERE site_id IN (30, 31);
-- Found:
wall 34 ms, overlapped 22 ms, lost 2 (2 to 2) ms, replayed 34 ms
pageable-copy app.cu:20, 1 times, blocked 24 ms, lost 2 (2 to 2) ms
  at 4 ms for 24 ms: call 2 operation 1, copy 24 ms
