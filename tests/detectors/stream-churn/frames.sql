-- A function that is called five times, 20 ms each: it creates a stream (2 ms), runs a kernel (10 ms) and
-- copies its result out (3 ms) in it, waits, and destroys it (4 ms). Kept, the stream saves four creations
-- and four destructions: 24 of 99 ms. The first creation and the last destruction stay.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaStreamDestroy', 'stream-destroy'), (21, 'cudaEventCreateWithFlags', 'event-create'),
  (22, 'cudaEventDestroy', 'event-destroy');
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO streams (context_id, id, flag, priority, handle, created_ns, destroyed_ns)
  SELECT 1, 30 + n, 2, 0, 3000, 1000000000 + (20 * n + 1) * 1000000, 1000000000 + (20 * n + 16) * 1000000 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamCreate', 30 + n, 3000, 70, 20 * n, 20 * n + 2 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 30 + n, 72, 20 * n + 2, 20 * n + 2, 20 * n + 2, 20 * n + 12, NULL, NULL FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 30 + n, 73, 20 * n + 2, 20 * n + 2, 20 * n + 12, 20 * n + 15, 11000000, 61000000
  FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 30 + n, NULL, 74, 20 * n + 3, 20 * n + 15 FROM round;
WITH RECURSIVE round(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM round WHERE n < 4)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamDestroy', 30 + n, NULL, 75, 20 * n + 15, 20 * n + 19 FROM round;
UPDATE calls SET stream_handle = 3000 WHERE stream_handle >= 3000;
