-- As one-buffer, but each line has a buffer of its own. They lie side by side, as arrays do, and are three
-- findings, which save 10 ms each: there are three buffers to pin.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pageable', 13, 10,  0, 12,  0, 12, 1000000, 51000000),
  ('h2d', 'pageable', 13, 11, 12, 24, 12, 24, 2000000, 52000000),
  ('h2d', 'pageable', 13, 12, 24, 36, 24, 36, 3000000, 53000000),
  ('kernel', NULL,    13, 20, 36, 36, 36, 40, NULL, NULL);
