-- Line 10 copies three buffers in turn, as a helper does, and lines 11 and 12 one of them each: 12 ms each, 2 ms
-- from pinned memory. No buffer is most of what line 10 copies, so each line is a finding: 30, 10 and 10 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 10, 12, 24, 12, 24, 3000000, 52000000),
  ('h2d', 'pageable', 13, 10, 24, 36, 24, 36, 5000000, 53000000),
  ('h2d', 'pageable', 13, 11, 36, 48, 36, 48, 1000000, 54000000),
  ('h2d', 'pageable', 13, 12, 48, 60, 48, 60, 3000000, 55000000),
  ('kernel', NULL,    13, 20, 60, 60, 60, 64, NULL, NULL);
