-- Nine batches of 20 us on the device, each prepared for 9.98 ms: one worker saves eight times 20 us. Eight workers prepare the
-- eight batches behind the first at once, of which the last is done 9.98 + 8 x 0.02 = 10.14 ms after the start, instead of
-- 80.02. Four, as at the low end, take twice 9.98 ms and 4 x 0.02: 59.98 ms less.
INSERT INTO metadata VALUES ('host_cpus', '16');
UPDATE rounds SET times = 9, ms = 10;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 40, 0, 0, 0, 0.01, 1000000, 50000000),
  ('kernel', NULL, 13, 41, 0, 0, 0.01, 0.02, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0, 0.02);
-- Found:
wall 80.02 ms, overlapped 0 ms, lost 69.88 (59.98 to 69.88) ms, replayed 80.02 ms
host-bound app.cu:40, 8 times, blocked 79.84 ms, lost 69.88 (59.98 to 69.88) ms
  at 0.02 ms for 9.98 ms: call 4 operation 3
  at 10.02 ms for 9.98 ms: call 7 operation 5
  at 20.02 ms for 9.98 ms: call 10 operation 7
sync-in-loop app.cu:42, 8 times, blocked 0.16 ms, lost 0.16 (0 to 0.16) ms, folded
  at 0 ms for 0.02 ms: call 3 operation 3 cause 2, stream 0.02 ms
  at 10 ms for 0.02 ms: call 6 operation 5 cause 4, stream 0.02 ms
  at 20 ms for 0.02 ms: call 9 operation 7 cause 6, stream 0.02 ms
