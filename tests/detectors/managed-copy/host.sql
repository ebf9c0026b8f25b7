-- As frames.sql, but pinned a copy takes as long, and a kernel 5 ms: the host, which makes a frame in 21 ms, is what
-- takes longest. It makes the next one beside the copy: the last kernel ends 57 ms behind the first call (2 x 21 + 10
-- + 5) instead of 75. At 1.1 of the rate the last copy takes 0.9 ms less.
INSERT INTO metadata VALUES
  ('pinned_h2d_bytes_per_s', '100000000'), ('pinned_h2d_latency_ns', '0');
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 10,  0, 9,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 11, 9, 9, 10, 15, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 30, 39, 30, 40, 2000000, 51000000),
  ('kernel', NULL,  13, 11, 39, 39, 40, 45, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 60, 69, 60, 70, 3000000, 51000000),
  ('kernel', NULL,  13, 11, 69, 69, 70, 75, NULL, NULL);
UPDATE operations SET copy_kind = 8, src_kind = 5 WHERE kind = 2;
-- Found:
wall 75 ms, overlapped 0 ms, lost 18 (18 to 18.9091) ms, replayed 75 ms
managed-copy app.cu:10, 3 times, blocked 27 ms, lost 18 (18 to 18.9091) ms
  at 0 ms for 9 ms: call 1 operation 1 cause 1, staging 9 ms
  at 30 ms for 9 ms: call 3 operation 3 cause 3, staging 9 ms
  at 60 ms for 9 ms: call 5 operation 5 cause 5, staging 9 ms
