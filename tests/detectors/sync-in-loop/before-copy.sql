-- Near-miss: cudaDeviceSynchronize, and then at once a cudaMemcpy to the host in the default stream,
-- which waits for the kernel by itself: without the first wait the host comes no further.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 41, 1, 20);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 7, 42, 20, 30, 20, 30, 11000000, 61000000),
  ('kernel', NULL,  13, 43, 31, 31, 31, 51, NULL, NULL);
UPDATE operations SET is_async = 0 WHERE stream_id = 7;
