-- Line 10 copies three buffers in turn, as a helper does, and lines 11 and 12 one of them each: 12 ms each, 2 ms
-- from pinned memory. No buffer is most of what line 10 copies, so each line is a finding: 30, 10 and 10 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 10, 12, 24, 12, 24, 3000000, 52000000),
  ('h2d', 'pageable', 13, 10, 24, 36, 24, 36, 5000000, 53000000),
  ('h2d', 'pageable', 13, 11, 36, 48, 36, 48, 1000000, 54000000),
  ('h2d', 'pageable', 13, 12, 48, 60, 48, 60, 3000000, 55000000),
  ('kernel', NULL,    13, 20, 60, 60, 60, 64, NULL, NULL);
-- Found:
wall 64 ms, overlapped 0 ms, lost 50 (48.8889 to 50.9091) ms, replayed 64 ms
pageable-copy app.cu:10, 3 times, blocked 36 ms, lost 30 (29.3333 to 30.5455) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 12 ms for 12 ms: call 2 operation 2, copy 12 ms
  at 24 ms for 12 ms: call 3 operation 3, copy 12 ms
pageable-copy app.cu:11, 1 times, blocked 12 ms, lost 10 (9.77778 to 10.1818) ms
  at 36 ms for 12 ms: call 4 operation 4, copy 12 ms
pageable-copy app.cu:12, 1 times, blocked 12 ms, lost 10 (9.77778 to 10.1818) ms
  at 48 ms for 12 ms: call 5 operation 5, copy 12 ms
