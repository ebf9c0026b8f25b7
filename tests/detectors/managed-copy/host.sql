-- As frames.sql, but pinned a copy takes as long, and a kernel 5 ms: the host, which makes a frame in 21 ms, is what
-- takes longest. It makes the next one beside the copy: the last kernel ends 57 ms behind the first call (2 x 21 + 10
-- + 5) instead of 75. At 1.1 of the rate the last copy takes 0.9 ms less.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '100000000'), ('pinned_h2d_latency_ns', '0');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 10,  0, 9,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 11, 9, 9, 10, 15, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 30, 39, 30, 40, 2000000, 51000000),
  ('kernel', NULL,  13, 11, 39, 39, 40, 45, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 60, 69, 60, 70, 3000000, 51000000),
  ('kernel', NULL,  13, 11, 69, 69, 70, 75, NULL, NULL);
UPDATE operations SET copy_kind = 8, src_kind = 5 WHERE kind = 2;
