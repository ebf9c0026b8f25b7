-- Thread 102 creates a stream (0.5 ms) and destroys it (1 ms) every 2 ms, 20 times. Thread 100 launches kernels of 0.1 ms
-- from 1 ms on: 38 launches of 1 ms until 39, in each of which a creation begins or a destruction ends, and 40 of
-- 0.5 ms. All but the first creation and the last destruction can go. Then all launches take 0.5 ms: the last
-- kernel ends at 40.1 ms instead of 59.1. The run begins at 0.2.
INSERT INTO threads VALUES (102, 'churns');
INSERT INTO streams (context_id, id, flag, priority, handle, created_ns, destroyed_ns)
  SELECT 1, 30 + n, 2, 0, 3000, 1000700000 + 2000000 * n, 1000900000 + 2000000 * n
  FROM number WHERE n < 20;
INSERT INTO call
  SELECT 'cudaStreamCreate', 30 + n, 3000, 70, 2 * n + 0.2, 2 * n + 0.7 FROM number WHERE n < 20;
INSERT INTO call
  SELECT 'cudaStreamDestroy', 30 + n, NULL, 75, 2 * n + 0.9, 2 * n + 1.9 FROM number WHERE n < 20;
UPDATE calls SET stream_handle = 3000, thread_id = 102;
WITH RECURSIVE launch(k, enter, own) AS (
  SELECT 0, 1000, 1000 UNION ALL SELECT k + 1, enter + own, iif(k + 1 < 38, 1000, 500) FROM launch WHERE k < 77)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 61, enter / 1000.0, (enter + own) / 1000.0, (enter + own) / 1000.0,
    (enter + own + 100) / 1000.0, NULL, NULL FROM launch;
UPDATE calls SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
UPDATE operations SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
INSERT INTO strings SELECT 10 + id, '_Z4step' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id WHERE kind = 1;
-- Found:
wall 58.9 ms, overlapped 0 ms, lost 19 (19 to 19) ms, replayed 58.9 ms
stream-churn app.cu:70, 19 times, blocked 9.5 ms, lost 19 (19 to 19) ms
  at 2 ms for 0.5 ms: call 5
  at 4 ms for 0.5 ms: call 9
  at 6 ms for 0.5 ms: call 13
