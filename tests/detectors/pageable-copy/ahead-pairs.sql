-- As ahead.sql, but each step copies two arrays in one line: steps of 52 ms. Pinned both take 4 ms: 8 x 20 of
-- 410 ms. Issued at the step before, behind the two of that step, they run beside its kernel: 7 x 4 ms more.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
UPDATE rounds SET times = 8, ms = 52;
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 30,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 30, 12, 24, 12, 24, 4000000, 52000000),
  ('kernel', NULL,    13, 31, 24, 24, 24, 44, NULL, NULL),
  ('d2h', 'pinned',   13, 32, 25, 25, 44, 46, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 26, 46);
UPDATE calls SET src = src + 1000000 * (id % 2) WHERE site_id = 30;
UPDATE calls SET numbers = src / 1000000 WHERE site_id = 30;
-- Found:
wall 410 ms, overlapped 0 ms, lost 188 (156.444 to 188.364) ms, replayed 410 ms
pageable-copy app.cu:30, 16 times, blocked 192 ms, lost 188 (156.444 to 188.364) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 12 ms for 12 ms: call 2 operation 2, copy 12 ms
  at 52 ms for 12 ms: call 6 operation 5, copy 12 ms
not seen: sync-in-loop: 7 140
