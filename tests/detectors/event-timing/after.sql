-- Near-miss: the loop only records, and one wait is there for all times, which are read behind it.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaEventElapsedTime', 'event-elapsed');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 24, 73, n, n, 10 * n, 10 * n + 10, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventRecord', 24, 500 + n, 74, n, n FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventElapsedTime', NULL, 500 + n, 76, 50 + n, 51 + n FROM round;
INSERT INTO call VALUES ('cudaEventSynchronize', NULL, 504, 75, 5, 50);
