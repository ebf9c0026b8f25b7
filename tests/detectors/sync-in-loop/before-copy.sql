-- Near-miss: cudaDeviceSynchronize, and then at once a cudaMemcpy to the host in the default stream,
-- which waits for the kernel by itself: without the first wait the host comes no further.
INSERT INTO operation VALUES ('kernel', NULL,  13, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', 7, NULL, 41, 1, 20);
INSERT INTO operation VALUES
  ('d2h', 'pinned', 7, 42, 20, 30, 20, 30, 11000000, 61000000),
  ('kernel', NULL,  13, 43, 31, 31, 31, 51, NULL, NULL);
UPDATE operations SET is_async = 0 WHERE stream_id = 7;
-- Found:
wall 51 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 51 ms
not seen: blocking-copy: 1 10
