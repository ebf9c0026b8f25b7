-- Ten steps of 20 ms that read the value of the step before: a kernel of 2 ms, 4 bytes back to pinned memory in 1 ms, a
-- wait of 5 ms for the event behind the last step's copy, which is long done, and the host's own work. The step's own
-- copy is done by then, too, but no wait is for it: nothing is found.
CREATE TEMP TABLE step AS SELECT n i, n * 20 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at, at + 1, at + 1, at + 3, NULL, NULL FROM step;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 13, 41, at + 1, at + 2, at + 3, at + 4, 1000000, 60000000 FROM step;
INSERT INTO call
  SELECT 'cudaEventRecord', 13, 901 + i % 2, 44, at + 2, at + 3 FROM step;
INSERT INTO call
  SELECT 'cudaEventSynchronize', NULL, 901 + (i + 1) % 2, 42, at + 3, at + 8 FROM step WHERE i > 0;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
DROP TABLE step;
-- Found:
wall 188 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 188 ms
