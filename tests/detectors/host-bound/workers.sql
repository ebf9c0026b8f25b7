-- Nine batches, each prepared by the host for 8 ms when the one before is done: copy 1 ms, kernel 1 ms, 82 ms in
-- all. A worker begins its next batch when the thread has taken the one it made: one worker gives a batch each 8 ms,
-- 8 x 8 + 2 = 66 ms; two give two, 2 ms apart, 4 x 8 + 2 + 2 = 36 ms; three 28 ms; four and more are never waited for
-- again behind their first batch: 8 + 8 x 2 = 24 ms. Four save the 58 ms; three save 54, under 95 % of that.
INSERT INTO metadata VALUES ('host_cpus', '16');
UPDATE rounds SET times = 9, ms = 10;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 40, 0, 0, 0, 1, 1000000, 50000000),
  ('kernel', NULL, 13, 41, 0, 0, 1, 2, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0, 2);
-- Found:
wall 82 ms, overlapped 0 ms, lost 61 (46 to 61) ms, replayed 82 ms
host-bound app.cu:40, 8 times, blocked 64 ms, lost 58 (46 to 58) ms
  at 2 ms for 8 ms: call 4 operation 3
  at 12 ms for 8 ms: call 7 operation 5
  at 22 ms for 8 ms: call 10 operation 7
sync-in-loop app.cu:42, 8 times, blocked 16 ms, lost 16 (16 to 16) ms
  in the order of the list: 0 ms
  at 0 ms for 2 ms: call 3 operation 3 cause 2, stream 2 ms
  at 10 ms for 2 ms: call 6 operation 5 cause 4, stream 2 ms
  at 20 ms for 2 ms: call 9 operation 7 cause 6, stream 2 ms
serial-stream app.cu:40, 6 times, blocked 6 ms, lost 3 (0 to 3) ms, with the others fixed
  at 9 ms for 1 ms: operation 5 cause 4
  at 11 ms for 1 ms: operation 7 cause 6
  at 13 ms for 1 ms: operation 9 cause 8
  fix: the other one
