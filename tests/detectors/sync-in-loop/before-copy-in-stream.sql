-- Near-miss: as before-copy.sql, the other way round: the kernel is in the default stream, and the copy
-- that waits for it by itself is in a blocking stream.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  7, 40, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 41, 1, 20);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 13, 42, 20, 30, 20, 30, 11000000, 61000000),
  ('kernel', NULL,  13, 43, 31, 31, 31, 51, NULL, NULL);
UPDATE operations SET is_async = 0 WHERE copy_kind = 2;
