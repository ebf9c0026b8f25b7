-- Ten steps of 100 us: a launch of 5 us, 15 us later a copy of 4 bytes back in 10 us, a synchronize of 2 us right
-- behind it, and the host's own work for 68 us. Without nine of the reads 12 us each are gone; at the high end what
-- the host does before and behind them, too: 95. At the low end the copies stay and no call waits: 5 us each, for a
-- copy's call alone takes 5 us and the synchronize 2.
UPDATE rounds SET times = 10, ms = 0.1;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 40, 0, 0.005, 0.006, 0.007, NULL, NULL),
  ('d2h', 'pageable', 13, 41, 0.02, 0.03, 0.027, 0.028, 1000000, 60000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0.03, 0.032);
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
-- Found:
wall 0.932 ms, overlapped 0 ms, lost 0.108 (0.045 to 0.86) ms, replayed 0.932 ms
readback-in-loop app.cu:41, 10 times, blocked 0.08 ms, lost 0.108 (0.045 to 0.855) ms
  at 0.02 ms for 0.008 ms: call 3 operation 2 cause 2
  at 0.12 ms for 0.008 ms: call 6 operation 4 cause 4
  at 0.22 ms for 0.008 ms: call 9 operation 6 cause 6
pageable-copy app.cu:41, 10 times, blocked 0.08 ms, lost 0 (0 to 0.05) ms
  at 0.02 ms for 0.008 ms: call 2 operation 2, copy 0.001 ms
  at 0.12 ms for 0.008 ms: call 5 operation 4, copy 0.001 ms
  at 0.22 ms for 0.008 ms: call 8 operation 6, copy 0.001 ms
  fix: the other one
not seen: pinned copies:
