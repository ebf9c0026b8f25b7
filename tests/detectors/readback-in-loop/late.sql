-- Ten steps that read the value of the step before: a kernel of 10 ms, 4 bytes back to pinned memory in 1 ms, and a wait
-- for the event behind the last step's copy. The device is never idle: nothing is found.
CREATE TEMP TABLE step AS SELECT n i, n * 11 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 7, at + 17, NULL, NULL FROM step;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 13, 41, at + 1, at + 2, at + 17, at + 18, 1000000, 60000000 FROM step;
INSERT INTO call
  SELECT 'cudaEventRecord', 13, 901 + i % 2, 44, at + 2, at + 2.5 FROM step;
INSERT INTO call
  SELECT 'cudaEventSynchronize', NULL, 901 + (i + 1) % 2, 42, at + 2.5, at + 7 FROM step WHERE i > 0;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
DROP TABLE step;
-- Found:
wall 117 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 117 ms
serial-stream app.cu:40, 9 times, blocked 9 ms, lost 0 (0 to 0) ms, folded
  at 17 ms for 1 ms: operation 3 cause 2
  at 28 ms for 1 ms: operation 5 cause 4
  at 39 ms for 1 ms: operation 7 cause 6
not seen: sync-in-loop: 8 36
