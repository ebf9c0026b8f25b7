-- As before-copy.sql, but the kernel is in a non-blocking stream, for which cudaMemcpy in the default
-- stream does not wait: without the first wait the copy runs beside the kernel, and the second kernel
-- starts at 20 ms instead of 31.
INSERT INTO operation VALUES ('kernel', NULL,  23, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 41, 1, 20);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 7, 42, 20, 30, 20, 30, 1000000, 51000000),
  ('kernel', NULL,  23, 43, 31, 31, 31, 51, NULL, NULL);
UPDATE operations SET is_async = 0 WHERE stream_id = 7;
-- Found:
wall 51 ms, overlapped 0 ms, lost 11 (11 to 11) ms, replayed 51 ms
sync-in-loop app.cu:41, 1 times, blocked 19 ms, lost 11 (11 to 11) ms
  at 1 ms for 19 ms: call 2 operation 2 cause 1, other streams 19 ms
not seen: blocking-copy: 1 10
