-- Near-miss: the chunks of copy-behind-wait.sql, but behind the first synchronize the host works for 10 ms
-- before it enqueues the second chunk: it may well read the first one's result there. With the first
-- hold out the synchronize waits for the same, and counts as needed.
INSERT INTO operation VALUES
  ('h2d', 'pinned',   13, 30,  0,  0,   0,  10,  1000000, 51000000),
  ('kernel', NULL,    13, 31,  0,  0,  10,  40, NULL, NULL),
  ('d2h', 'pageable', 13, 32,  0, 50,  40,  50, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 50, 50);
INSERT INTO operation VALUES
  ('h2d', 'pinned',   14, 30, 60, 60,  60,  70,  2000000, 52000000),
  ('kernel', NULL,    14, 31, 60, 60,  70, 100, NULL, NULL),
  ('d2h', 'pageable', 14, 32, 60, 110, 100, 110, 12000000, 62000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 14, NULL, 33, 110, 110);
-- Found:
wall 110 ms, overlapped 0 ms, lost 0 (0 to 20) ms, replayed 110 ms
pageable-copy app.cu:32, 2 times, blocked 100 ms, lost 0 (0 to 20) ms
  at 0 ms for 50 ms: call 3 operation 3 cause 2, stream 40 ms, copy 10 ms
  at 60 ms for 50 ms: call 7 operation 6 cause 5, stream 40 ms, copy 10 ms
  fix: the other one
not seen: pinned copies:
