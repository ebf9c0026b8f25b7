-- As again.sql, but from pageable memory: the call stages the data and returns when the copy is done (10 ms), and the
-- rest of the step is enqueued then. Pinned, a copy takes 2 ms (1 MB at 0.5 GB/s): 4 x 8 = 32 of 160 ms. Not sending
-- the last three saves 30 ms alone, and behind that 3 x 2 = 6 ms more.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
UPDATE rounds SET times = 4, ms = 40;
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 30, 0, 10, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 13, 31, 10, 10, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 10, 10, 30, 40, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 10, 40);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
UPDATE calls SET numbers = 2147483648 + 7 WHERE site_id = 30;
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
-- Found:
wall 160 ms, overlapped 0 ms, lost 38 (37.7778 to 38.1818) ms, replayed 160 ms
pageable-copy app.cu:30, 4 times, blocked 40 ms, lost 32 (31.1111 to 32.7273) ms
  at 0 ms for 10 ms: call 1 operation 1, copy 10 ms
  at 40 ms for 10 ms: call 5 operation 4, copy 10 ms
  at 80 ms for 10 ms: call 9 operation 7, copy 10 ms
redundant-transfer app.cu:30, 3 times, blocked 30 ms, lost 30 (30 to 30) ms
  in the order of the list: 6 ms
  at 40 ms for 10 ms: call 5 operation 4, copy 10 ms
  at 80 ms for 10 ms: call 9 operation 7, copy 10 ms
  at 120 ms for 10 ms: call 13 operation 10, copy 10 ms
sync-in-loop app.cu:33, 3 times, blocked 90 ms, lost 0 (0 to 0) ms, folded
  at 10 ms for 30 ms: call 4 operation 4 cause 3, stream 30 ms
  at 50 ms for 30 ms: call 8 operation 7 cause 6, stream 30 ms
  at 90 ms for 30 ms: call 12 operation 10 cause 9, stream 30 ms
