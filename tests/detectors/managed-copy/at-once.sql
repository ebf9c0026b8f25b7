-- As frames.sql, but the calls return at once, as where the driver need not look: the host makes the frames
-- beside the kernels, and nothing is lost.
INSERT INTO metadata VALUES
  ('pinned_h2d_bytes_per_s', '500000000'), ('pinned_h2d_latency_ns', '0');
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 10,  0,  0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 11,  0,  0, 10, 30, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 20, 20, 30, 40, 2000000, 51000000),
  ('kernel', NULL,  13, 11, 20, 20, 40, 60, NULL, NULL),
  ('h2d', 'pinned', 13, 10, 40, 40, 60, 70, 3000000, 51000000),
  ('kernel', NULL,  13, 11, 40, 40, 70, 90, NULL, NULL);
UPDATE operations SET copy_kind = 8, src_kind = 5 WHERE kind = 2;
-- Found:
wall 90 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 90 ms
