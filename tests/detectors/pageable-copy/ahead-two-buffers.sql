-- A kernel of 40 ms behind the first of eight batches, kernels of 1 ms behind the others; pageable copies of 12 ms,
-- in calls that wait for the kernel before. Two batches take turns, and the host leaves both as they are. Pinned
-- (2 ms) 80 of 143 ms are saved. One step ahead only the second batch comes beside the first kernel, not all: the
-- third needs the first one's buffer. That kernel ends at 42, then come six copies of 2 ms and the last kernel:
-- 143 - 55 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 30,  0, 12,  0, 12, 1000000, 51000000),
  ('kernel', NULL,    13, 31, 12, 12, 12, 52, NULL, NULL);
UPDATE rounds SET times = 7, ms = 13;
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 30, 51.5, 64, 52, 64, 1000000, 51000000),
  ('kernel', NULL,    13, 31, 64, 64, 64, 65, NULL, NULL);
UPDATE calls SET start_ns = 1013000000 WHERE id = 3;
UPDATE calls SET src = src + 1000000 * (id % 2), numbers = 5 + id % 2 WHERE site_id = 30;
-- Found:
wall 143 ms, overlapped 0 ms, lost 88 (78.2222 to 89.2727) ms, replayed 143 ms
pageable-copy app.cu:30, 8 times, blocked 138 ms, lost 88 (78.2222 to 89.2727) ms
  at 13 ms for 51 ms: call 3 operation 3 cause 2, stream 39 ms, copy 12 ms
  at 64.5 ms for 12.5 ms: call 5 operation 5 cause 4, stream 0.5 ms, copy 12 ms
  at 77.5 ms for 12.5 ms: call 7 operation 7 cause 6, stream 0.5 ms, copy 12 ms
