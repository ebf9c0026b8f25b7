-- Ten steps of 20 ms: a kernel of 10 ms, 4 bytes back to pinned memory in 1 ms, a kernel of 2 ms behind that, and only
-- then the synchronize of the stream, which blocks the host for 11 ms; then 6 ms of the host's own. With the last read
-- alone the host needs 8 ms a step and the device 12: 1 + 10 x 12 + 1 = 122 of 194 ms. At the low end the host waits for
-- the copy before, and the device needs 13 ms a step; but not in the first step, which the second one is not equal to:
-- 20 + 1 + 9 x 13 = 138 ms.
UPDATE rounds SET times = 10, ms = 20;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 40, 0, 1, 1, 11, NULL, NULL),
  ('d2h', 'pinned', 13, 41, 1, 2, 11, 12, 1000000, 60000000),
  ('kernel', NULL, 13, 43, 2, 3, 12, 14, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 3, 14);
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
-- Found:
wall 194 ms, overlapped 0 ms, lost 73 (66 to 73) ms, replayed 194 ms
readback-in-loop app.cu:41, 10 times, blocked 110 ms, lost 72 (56 to 72) ms
  at 3 ms for 11 ms: call 4 operation 2 cause 2, stream 11 ms
  at 23 ms for 11 ms: call 8 operation 5 cause 5, stream 11 ms
  at 43 ms for 11 ms: call 12 operation 8 cause 8, stream 11 ms
serial-stream app.cu:43, 10 times, blocked 10 ms, lost 10 (10 to 10) ms
  in the order of the list: 1 ms
  at 11 ms for 1 ms: operation 3 cause 2
  at 31 ms for 1 ms: operation 6 cause 5
  at 51 ms for 1 ms: operation 9 cause 8
not seen: sync-in-loop: 9 99
