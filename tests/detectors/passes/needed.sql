-- Near-miss: the chunks of copy-behind-wait.sql, but behind the first synchronize the host works for 10 ms
-- before it enqueues the second chunk: it may well read the first one's result there. With the first
-- hold out the synchronize waits for the same, and counts as needed.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned',   13, 30,  0,  0,   0,  10,  1000000, 51000000),
  ('kernel', NULL,    13, 31,  0,  0,  10,  40, NULL, NULL),
  ('d2h', 'pageable', 13, 32,  0, 50,  40,  50, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 33, 50, 50);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned',   14, 30, 60, 60,  60,  70,  2000000, 52000000),
  ('kernel', NULL,    14, 31, 60, 60,  70, 100, NULL, NULL),
  ('d2h', 'pageable', 14, 32, 60, 110, 100, 110, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 14, NULL, 33, 110, 110);
