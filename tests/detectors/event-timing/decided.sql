-- As steps.sql, but what is copied and so enqueued differs from step to step: the time may have decided it.
-- The low end leaves all waits but the first.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaEventElapsedTime', 'event-elapsed');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'h2d', 'pinned', 23, 70, 21 * n, 21 * n, 21 * n, 21 * n + 10, (1 + n) * 1000000, (61 + n) * 1000000 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventRecord', 23, 400, 71, 21 * n, 21 * n FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamWaitEvent', 24, 400, 72, 21 * n, 21 * n FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 24, 73, 21 * n, 21 * n, 21 * n + 10, 21 * n + 20, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventRecord', 24, 500, 74, 21 * n, 21 * n FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventSynchronize', NULL, 500, 75, 21 * n + 1, 21 * n + 20 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventElapsedTime', NULL, 500, 76, 21 * n + 20, 21 * n + 21 FROM round;
UPDATE operations SET size_bytes = 1000000 + id WHERE kind = 2;
UPDATE calls SET size_bytes = 1000000 + id WHERE site_id = 70;
