-- Five batches, each of them prepared by the host for 3 ms when the one before is done: copy 1 ms, kernel
-- 2 ms, 27 ms in all. Prepared by another thread meanwhile they follow each other at once: 5 x 3 = 15 ms.
UPDATE rounds SET times = 5, ms = 6;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 40, 0, 0, 0, 1, 1000000, 50000000),
  ('kernel', NULL, 13, 41, 0, 0, 1, 3, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0, 3);
-- Found:
wall 27 ms, overlapped 0 ms, lost 12 (12 to 12) ms, replayed 27 ms
host-bound app.cu:40, 4 times, blocked 12 ms, lost 12 (12 to 12) ms
  at 3 ms for 3 ms: call 4 operation 3
  at 9 ms for 3 ms: call 7 operation 5
  at 15 ms for 3 ms: call 10 operation 7
sync-in-loop app.cu:42, 4 times, blocked 12 ms, lost 12 (12 to 12) ms
  in the order of the list: 0 ms
  at 0 ms for 3 ms: call 3 operation 3 cause 2, stream 3 ms
  at 6 ms for 3 ms: call 6 operation 5 cause 4, stream 3 ms
  at 12 ms for 3 ms: call 9 operation 7 cause 6, stream 3 ms
