-- Near-miss: the loop only records, and one wait is there for all times, which are read behind it.
INSERT INTO operation
  SELECT 'kernel', NULL, 24, 73, n, n, 10 * n, 10 * n + 10, NULL, NULL FROM number WHERE n < 5;
INSERT INTO call SELECT 'cudaEventRecord', 24, 500 + n, 74, n, n FROM number WHERE n < 5;
INSERT INTO call
  SELECT 'cudaEventElapsedTime', NULL, 500 + n, 76, 50 + n, 51 + n FROM number WHERE n < 5;
INSERT INTO call VALUES ('cudaEventSynchronize', NULL, 504, 75, 5, 50);
-- Found:
wall 55 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 55 ms
