-- As before-copy.sql, but cudaMemcpy returns at 23 ms, when it has staged its pageable source, and waits
-- for nothing. Without the first wait the copy runs from 20 to 30 ms, and the last kernel, which waits
-- for it in the default stream, from 30 instead of 33.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 41, 1, 20);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pageable', 7, 42, 22, 23, 22, 32, 1000000, 51000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 43, 33, 33, 33, 53, NULL, NULL);
UPDATE operations SET is_async = 0 WHERE stream_id = 7;
