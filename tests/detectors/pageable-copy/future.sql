-- The main thread asks a second one for a copy of 1 MB of pageable memory, waits for it (24 ms), launches a kernel of 5 ms,
-- waits for that, and works for 1 ms; the second thread waits meanwhile. Four steps of 30 ms are too few to conclude from
-- calls that threads take turns: looks saw the waits. From pinned memory the copy takes 2 ms (0.5 GB/s): a step takes
-- 8 ms. It saves 4 x 22 of 119 ms.
INSERT INTO metadata VALUES ('pinned_h2d_bytes_per_s', '500000000');
INSERT INTO threads VALUES (101, 'copier');
UPDATE rounds SET times = 4, ms = 30;
INSERT INTO operation VALUES
  ('h2d', 'pageable', 13, 20,  0, 24,  0, 24, 1000000, 51000000),
  ('kernel', NULL,    13, 40, 24, 24, 24, 29, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 41, 24, 29);
UPDATE calls SET thread_id = 101 WHERE site_id = 20;
INSERT INTO host_state VALUES
  (100, 'waiting for a thread', NULL,  0, 24, 0, 0, NULL),
  (100, 'running',              NULL, 29, 30, 0, 0, NULL),
  (101, 'waiting for a thread', NULL, 24, 30, 0, 0, NULL);
-- Found:
wall 119 ms, overlapped 0 ms, lost 97 (96.7778 to 97.1818) ms, replayed 119 ms
pageable-copy app.cu:20, 4 times, blocked 96 ms, lost 88 (87.1111 to 88.7273) ms
  at 0 ms for 24 ms: call 1 operation 1, copy 24 ms
  at 30 ms for 24 ms: call 4 operation 3, copy 24 ms
  at 60 ms for 24 ms: call 7 operation 5, copy 24 ms
  fix: the other one
sync-in-loop app.cu:41, 3 times, blocked 15 ms, lost 3 (3 to 3) ms
  at 24 ms for 5 ms: call 3 operation 4 cause 2, stream 5 ms
  at 54 ms for 5 ms: call 6 operation 6 cause 4, stream 5 ms
  at 84 ms for 5 ms: call 9 operation 8 cause 6, stream 5 ms
serial-stream app.cu:20, 1 times, blocked 4 ms, lost 6 (6 to 6) ms, with the others fixed
  at 17 ms for 4 ms: operation 7 cause 6
