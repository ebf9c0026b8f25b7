-- Line 10 copies a buffer of 2 MB in two pieces, line 11 its second half again: 12 ms each, 2 ms from pinned
-- memory. They are one finding, which saves 30 ms. Line 12 copies another buffer: 10 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 10, 12, 24, 12, 24, 2000000, 52000000),
  ('h2d', 'pageable', 13, 11, 24, 36, 24, 36, 2500000, 53000000),
  ('h2d', 'pageable', 13, 12, 36, 48, 36, 48, 5000000, 54000000),
  ('kernel', NULL,    13, 20, 48, 48, 48, 52, NULL, NULL);
