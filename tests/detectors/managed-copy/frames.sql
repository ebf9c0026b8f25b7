-- Three frames in managed memory: the host makes one in 21 ms, the call lasts until 1 ms before the copy of 10 ms is
-- done, and the kernel takes 20 ms. Pinned, 1 MB takes 2 ms at 0.5 GB/s, and the host makes the next frame
-- beside the kernel: the last kernel ends 66 ms behind the first call instead of 90. At 0.45 GB/s each copy takes
-- 0.22 ms longer. CUPTI gives the copies as those within a device.
INSERT INTO metadata VALUES
  ('pinned_h2d_bytes_per_s', '500000000'), ('pinned_h2d_latency_ns', '0');
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 10,  0, 9,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 11, 10, 10, 10, 30, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 30, 39, 30, 40, 2000000, 51000000),
  ('kernel', NULL,  13, 11, 40, 40, 40, 60, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 60, 69, 60, 70, 3000000, 51000000),
  ('kernel', NULL,  13, 11, 70, 70, 70, 90, NULL, NULL);
UPDATE operations SET copy_kind = 8, src_kind = 5 WHERE kind = 2;
-- Found:
wall 90 ms, overlapped 0 ms, lost 24 (23.3333 to 24.5455) ms, replayed 90 ms
managed-copy app.cu:10, 3 times, blocked 27 ms, lost 24 (23.3333 to 24.5455) ms
  at 0 ms for 9 ms: call 1 operation 1 cause 1, staging 9 ms
  at 30 ms for 9 ms: call 3 operation 3 cause 3, staging 9 ms
  at 60 ms for 9 ms: call 5 operation 5 cause 5, staging 9 ms
