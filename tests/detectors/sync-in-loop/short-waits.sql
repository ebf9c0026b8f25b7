-- As launch-bound.sql in microseconds: the waits take 4 us each, but the calls 8: it is not folded.
INSERT INTO operation
  SELECT 'kernel', NULL, 13, 41, 0.001 * 13 * n, 0.001 * (13 * n + 5), 0.001 * (13 * n + 6),
  0.001 * (13 * n + 9), NULL, NULL FROM number WHERE n < 10;
INSERT INTO call
  SELECT 'cudaDeviceSynchronize', NULL, NULL, 42, 0.001 * (13 * n + 5), 0.001 * (13 * n + 13)
  FROM number WHERE n < 10;
-- Found:
wall 0.13 ms, overlapped 0 ms, lost 0.072 (0.072 to 0.072) ms, replayed 0.13 ms
sync-in-loop app.cu:42, 9 times, blocked 0.036 ms, lost 0.072 (0.072 to 0.072) ms
  at 0.005 ms for 0.004 ms: call 2 operation 2 cause 1, other streams 0.004 ms
  at 0.018 ms for 0.004 ms: call 4 operation 3 cause 2, other streams 0.004 ms
  at 0.031 ms for 0.004 ms: call 6 operation 4 cause 3, other streams 0.004 ms
  fix: the other one
