-- Line 10 copies a buffer of 2 MB in two pieces, line 11 its second half again: 12 ms each, 2 ms from pinned
-- memory. They are one finding, which saves 30 ms. Line 12 copies another buffer: 10 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 10, 12, 24, 12, 24, 2000000, 52000000),
  ('h2d', 'pageable', 13, 11, 24, 36, 24, 36, 2500000, 53000000),
  ('h2d', 'pageable', 13, 12, 36, 48, 36, 48, 5000000, 54000000),
  ('kernel', NULL,    13, 20, 48, 48, 48, 52, NULL, NULL);
-- Found:
wall 52 ms, overlapped 0 ms, lost 40 (39.1111 to 40.7273) ms, replayed 52 ms
pageable-copy app.cu:10, 3 times, blocked 36 ms, lost 30 (29.3333 to 30.5455) ms
  site app.cu:10, 2 times, blocked 24 ms
  site app.cu:11, 1 times, blocked 12 ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 12 ms for 12 ms: call 2 operation 2, copy 12 ms
  at 24 ms for 12 ms: call 3 operation 3, copy 12 ms
pageable-copy app.cu:12, 1 times, blocked 12 ms, lost 10 (9.77778 to 10.1818) ms
  at 36 ms for 12 ms: call 4 operation 4, copy 12 ms
