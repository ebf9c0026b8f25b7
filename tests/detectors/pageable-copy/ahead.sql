-- Eight steps of 40 ms. A batch from pageable memory takes 12 ms in its call, then come a kernel of 20 ms
-- and a pinned copy out of 2 ms, for which the host waits, and work of the host for 6 ms with the result.
-- Pinned the batch takes 2 ms (0.5 GB/s): 8 x 10 of 314 ms. Two batches take turns, and the host leaves both
-- as they are: a copy issued at the step before runs beside the kernel there, 7 x 2 ms more. At the earliest
-- it begins with the step before, for there are two device buffers. The low end is pinned alone, at 0.45 GB/s:
-- 80 - 8 x 0.2222. The high end at 0.55 GB/s: 8 x (12 - 1.8182) + 7 x 1.8182.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
UPDATE rounds SET times = 8, ms = 40;
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 30,  0, 12,  0, 12, 1000000, 51000000),
  ('kernel', NULL,    13, 31, 12, 12, 12, 32, NULL, NULL),
  ('d2h', 'pinned',   13, 32, 13, 13, 32, 34, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 14, 34);
UPDATE calls SET src = src + 1000000 * (id % 2), numbers = 5 + id % 2 WHERE site_id = 30;
-- Found:
wall 314 ms, overlapped 0 ms, lost 94 (78.2222 to 94.1818) ms, replayed 314 ms
pageable-copy app.cu:30, 8 times, blocked 96 ms, lost 94 (78.2222 to 94.1818) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 40 ms for 12 ms: call 5 operation 4, copy 12 ms
  at 80 ms for 12 ms: call 9 operation 7, copy 12 ms
not seen: sync-in-loop: 7 140
not seen: host-bound: 7 42
