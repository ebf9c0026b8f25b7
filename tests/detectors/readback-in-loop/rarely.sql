-- Ten times a hundred kernels of 0.1 ms, and only behind them a read: the device is idle for 0.04 ms then, 9 x 0.04 of
-- 100.49 ms. Nothing is worth a line.
CREATE TEMP TABLE step AS SELECT n * 10.05 at FROM number WHERE n < 10;
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 40, at + n * 0.01, at + (n + 1) * 0.01, at + 0.02 + n * 0.1, at + 0.12 + n * 0.1,
  NULL, NULL FROM step, number WHERE n < 100 ORDER BY at, n;
INSERT INTO operation
  SELECT 'd2h', 'pageable', 13, 41, at + 1, at + 10.04, at + 10.02, at + 10.03, 1000000, 60000000 FROM step;
UPDATE operations SET size_bytes = 4 WHERE kind = 2;
UPDATE calls SET size_bytes = 4 WHERE size_bytes IS NOT NULL;
DROP TABLE step;
-- Found:
wall 100.49 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 100.49 ms
pageable-copy app.cu:41, 10 times, blocked 90.3 ms, lost 0.47 (0 to 0.47) ms, folded
  at 1 ms for 9.03 ms: call 101 operation 101 cause 100, stream 9.02 ms, copy 0.01 ms
  at 11.05 ms for 9.03 ms: call 202 operation 202 cause 201, stream 9.02 ms, copy 0.01 ms
  at 21.1 ms for 9.03 ms: call 303 operation 303 cause 302, stream 9.02 ms, copy 0.01 ms
  fix: the other one
readback-in-loop app.cu:41, 10 times, blocked 90.3 ms, lost 0.46 (0 to 0.46) ms, folded
  at 1 ms for 9.03 ms: call 101 operation 101 cause 101, stream 9.02 ms, copy 0.01 ms
  at 11.05 ms for 9.03 ms: call 202 operation 202 cause 202, stream 9.02 ms, copy 0.01 ms
  at 21.1 ms for 9.03 ms: call 303 operation 303 cause 303, stream 9.02 ms, copy 0.01 ms
