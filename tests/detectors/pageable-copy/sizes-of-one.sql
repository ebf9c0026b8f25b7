-- Near-miss: line 10 copies a buffer of 2.016 MB in pieces of 1 MB, 12 ms each, of which the last one is 16 KB, 2 ms. One
-- buffer has to be pinned: one finding, which saves 26 - 4.032 = 21.968 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 10, 12, 24, 12, 24, 2000000, 52000000),
  ('h2d', 'pageable', 13, 10, 24, 26, 24, 26, 3000000, 53000000),
  ('kernel', NULL,    13, 20, 26, 26, 26, 30, NULL, NULL);
UPDATE operations SET size_bytes = 16000 WHERE correlation_id = 3;
UPDATE calls SET size_bytes = 16000 WHERE id = 3;
-- Found:
wall 30 ms, overlapped 0 ms, lost 21.968 (21.52 to 22.3345) ms, replayed 30 ms
pageable-copy app.cu:10, 3 times, blocked 26 ms, lost 21.968 (21.52 to 22.3345) ms
  at 0 ms for 12 ms: call 1 operation 1, copy 12 ms
  at 12 ms for 12 ms: call 2 operation 2, copy 12 ms
  at 24 ms for 2 ms: call 3 operation 3, copy 2 ms
