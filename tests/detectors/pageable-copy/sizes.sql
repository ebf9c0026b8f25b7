-- Line 10 is a helper that copies two buffers of 1 MB, 12 ms each, and two of 16 KB, 2 ms each. The large ones and the small
-- ones are two findings. From pinned memory 1 MB takes 2 ms and 16 KB take 0.032 ms: they save 20 and 3.936 ms.
-- Line 11 copies 16 KB and 900 KB, which is no large copy: one finding, which saves 4 - 0.032 - 1.8 = 2.168 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 10, 12, 14, 12, 14, 3000000, 52000000),
  ('h2d', 'pageable', 13, 10, 14, 26, 14, 26, 5000000, 53000000),
  ('h2d', 'pageable', 13, 10, 26, 28, 26, 28, 7000000, 54000000),
  ('h2d', 'pageable', 13, 11, 28, 30, 28, 30, 9000000, 55000000),
  ('h2d', 'pageable', 13, 11, 30, 32, 30, 32, 11000000, 56000000),
  ('kernel', NULL,    13, 20, 32, 32, 32, 36, NULL, NULL);
UPDATE operations SET size_bytes = 16000 WHERE correlation_id IN (2, 4, 5);
UPDATE operations SET size_bytes = 900000 WHERE correlation_id = 6;
UPDATE calls SET size_bytes = 16000 WHERE id IN (2, 4, 5);
UPDATE calls SET size_bytes = 900000 WHERE id = 6;
-- Found:
wall 36 ms, overlapped 0 ms, lost 26.104 (25.4489 to 26.64) ms, replayed 36 ms
pageable-copy app.cu:10 over 64 KB, 2 times, blocked 24 ms, lost 20 (19.5556 to 20.3636) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 14 ms for 12 ms: call 3 operation 3, copy 12 ms
pageable-copy app.cu:10 up to 64 KB, 2 times, blocked 4 ms, lost 3.936 (3.92889 to 3.94182) ms
  4.064 ms move to finding 3
  at 12 ms for 2 ms: call 2 operation 2, copy 2 ms
  at 26 ms for 2 ms: call 4 operation 4, copy 2 ms
pageable-copy app.cu:11, 2 times, blocked 4 ms, lost 2.168 (1.96444 to 2.33455) ms
  at 28 ms for 2 ms: call 5 operation 5, copy 2 ms
  at 30 ms for 2 ms: call 6 operation 6, copy 2 ms
