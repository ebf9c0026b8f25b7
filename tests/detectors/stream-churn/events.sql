-- A loop of five steps, 20 ms each, in a stream that stays: each creates an event (1 ms), runs a kernel (10 ms)
-- and a copy of its result (3 ms), records the event behind it, waits for it, and destroys it (2 ms). Kept,
-- the event saves four creations and four destructions: 12 of 98 ms.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaStreamDestroy', 'stream-destroy'), (21, 'cudaEventCreateWithFlags', 'event-create'),
  (22, 'cudaEventDestroy', 'event-destroy');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventCreateWithFlags', NULL, 500, 70, 20 * n, 20 * n + 1 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 72, 20 * n + 2, 20 * n + 2, 20 * n + 2, 20 * n + 12, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 23, 73, 20 * n + 2, 20 * n + 2, 20 * n + 12, 20 * n + 15, 11000000, 61000000
  FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventRecord', 23, 500, 74, 20 * n + 3, 20 * n + 3 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventSynchronize', NULL, 500, 75, 20 * n + 4, 20 * n + 15 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventDestroy', NULL, 500, 76, 20 * n + 16, 20 * n + 18 FROM round;
