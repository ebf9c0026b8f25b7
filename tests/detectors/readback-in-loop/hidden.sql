-- As steps.sql, but ten copies of 20 ms each to the device, enqueued at the start in another stream, take until 200 ms:
-- the reads hold up nothing that the run waits for.
-- Base: readback-in-loop/steps.sql
UPDATE rounds SET times = 1;
INSERT INTO operation
  SELECT 'h2d', 'pinned', 14, 43, 0, 0, n * 20, n * 20 + 20, 5000000 + n * 1000000, 80000000 + n * 1000000
  FROM number WHERE n < 10;
-- Found:
wall 200 ms, overlapped 110 ms, lost 0 (0 to 0) ms, replayed 200 ms
readback-in-loop app.cu:41, 10 times, blocked 110 ms, lost 0 (0 to 0) ms, folded
  at 1 ms for 11 ms: call 13 operation 3 cause 3, stream 10 ms
  at 21 ms for 11 ms: call 16 operation 6 cause 6, stream 10 ms
  at 41 ms for 11 ms: call 19 operation 9 cause 9, stream 10 ms
not seen: sync-in-loop: 9 90
