-- As before-copy.sql, but cudaMemcpy returns at 23 ms, when it has staged its pageable source, and waits
-- for nothing. Without the first wait the copy runs from 20 to 30 ms, and the last kernel, which waits
-- for it in the default stream, from 30 instead of 33.
INSERT INTO operation VALUES ('kernel', NULL,  13, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 41, 1, 20);
INSERT INTO operation VALUES
  ('h2d', 'pageable', 7, 42, 22, 23, 22, 32, 1000000, 51000000),
  ('kernel', NULL,  13, 43, 33, 33, 33, 53, NULL, NULL);
UPDATE operations SET is_async = 0 WHERE stream_id = 7;
-- Found:
wall 53 ms, overlapped 0 ms, lost 13 (13 to 13) ms, replayed 53 ms
sync-in-loop app.cu:41, 1 times, blocked 19 ms, lost 3 (3 to 3) ms
  at 1 ms for 19 ms: call 2 operation 2 cause 1, other streams 19 ms
default-stream app.cu:42, 1 times, blocked 16 ms, lost 10 (10 to 10) ms, with the others fixed
  at 4 ms for 16 ms: operation 2 cause 1
