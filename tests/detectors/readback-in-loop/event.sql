-- As between.sql, but an event is recorded right behind the copy, and the host waits for that, 8.5 ms until the copy is
-- done; then it works for 8 ms. With the last read alone the host needs 10.5 ms a step and the device 12: 122 of 194 ms.
-- At the low end 138 ms, as in between.sql.
UPDATE rounds SET times = 10, ms = 20;
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 40, 0, 1, 1, 11, NULL, NULL),
  ('d2h', 'pinned', 13, 41, 1, 2, 11, 12, 1000000, 60000000),
  ('kernel', NULL, 13, 43, 2.5, 3.5, 12, 14, NULL, NULL);
INSERT INTO call VALUES ('cudaEventRecord', 13, 901, 44, 2, 2.5);
INSERT INTO call VALUES ('cudaEventSynchronize', NULL, 901, 42, 3.5, 12);
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
-- Found:
wall 194 ms, overlapped 0 ms, lost 73 (61 to 73) ms, replayed 194 ms
readback-in-loop app.cu:41, 10 times, blocked 85 ms, lost 72 (56 to 72) ms
  at 3.5 ms for 8.5 ms: call 5 operation 2 cause 2, stream 8.5 ms
  at 23.5 ms for 8.5 ms: call 10 operation 5 cause 5, stream 8.5 ms
  at 43.5 ms for 8.5 ms: call 15 operation 8 cause 8, stream 8.5 ms
serial-stream app.cu:43, 10 times, blocked 10 ms, lost 1 (1 to 1) ms
  at 11 ms for 1 ms: operation 3 cause 2
  at 31 ms for 1 ms: operation 6 cause 5
  at 51 ms for 1 ms: operation 9 cause 8
not seen: sync-in-loop: 9 76.5
