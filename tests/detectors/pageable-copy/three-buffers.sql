-- As one-buffer, but each line has a buffer of its own. They lie side by side, as arrays do, and are three
-- findings, which save 10 ms each: there are three buffers to pin.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 11, 12, 24, 12, 24, 2000000, 52000000),
  ('h2d', 'pageable', 13, 12, 24, 36, 24, 36, 3000000, 53000000),
  ('kernel', NULL,    13, 20, 36, 36, 36, 40, NULL, NULL);
-- Found:
wall 40 ms, overlapped 0 ms, lost 30 (29.3333 to 30.5455) ms, replayed 40 ms
pageable-copy app.cu:10, 1 times, blocked 12 ms, lost 10 (9.77778 to 10.1818) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
pageable-copy app.cu:11, 1 times, blocked 12 ms, lost 10 (9.77778 to 10.1818) ms
  at 12 ms for 12 ms: call 2 operation 2, copy 12 ms
pageable-copy app.cu:12, 1 times, blocked 12 ms, lost 10 (9.77778 to 10.1818) ms
  at 24 ms for 12 ms: call 3 operation 3, copy 12 ms
