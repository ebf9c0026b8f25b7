-- Ten steps of 100 us as of a framework: two launches of 5 us, 10 us after each, a copy of 4 bytes back in 5 us, 5 us in
-- which the host waits for it, and 60 us until the next step. Without nine reads 10 us each of calls are gone, and of the
-- times around the read the shorter one, 10 us: as long as that between the launches. 180 us. At the high end the longer
-- one is gone, too: 720 us.
UPDATE rounds SET times = 10, ms = 0.1;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 40, 0, 0.005, 0.006, 0.007, NULL, NULL),
  ('kernel', NULL, 13, 43, 0.015, 0.02, 0.021, 0.022, NULL, NULL),
  ('d2h', 'pinned', 13, 41, 0.03, 0.035, 0.036, 0.04, 1000000, 60000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0.035, 0.04);
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
-- Found:
wall 0.94 ms, overlapped 0 ms, lost 0.367 (0.32 to 0.907) ms, replayed 0.94 ms
tiny-kernels app.cu:40, 10 times, blocked 0.4 ms, lost 0.295 (0.284 to 0.295) ms
  at 0 ms for 0.04 ms: call 1 operation 3
  at 0.1 ms for 0.04 ms: call 5 operation 6
  at 0.2 ms for 0.04 ms: call 9 operation 9
readback-in-loop app.cu:41, 10 times, blocked 0.1 ms, lost 0.18 (0 to 0.72) ms
  in the order of the list: 0.072 ms
  at 0.03 ms for 0.01 ms: call 4 operation 3 cause 3, stream 0.005 ms
  at 0.13 ms for 0.01 ms: call 8 operation 6 cause 6, stream 0.005 ms
  at 0.23 ms for 0.01 ms: call 12 operation 9 cause 9, stream 0.005 ms
not seen: sync-in-loop: 9 45
