-- Thread 100 launches 120 kernels of 0.6 ms into stream 13. A launch takes 0.5 ms, but the middle forty take 1 ms
-- each (from 20 to 60): meanwhile thread 102 queries that stream every 0.2 ms, and finds nothing pending at
-- times. Then the kernels of the middle come one each ms, and those behind them one each 0.6 ms: 84.6 ms in
-- all. If it waits instead, all come one each 0.6 ms, from 0.5 to 72.5.
INSERT INTO threads VALUES (102, 'poller');
WITH RECURSIVE launch(k, enter, own, start) AS (
  SELECT 0, 0, 500, 500
  UNION ALL SELECT k + 1, enter + own, iif(k + 1 BETWEEN 40 AND 79, 1000, 500),
    max(start + 600, enter + own + iif(k + 1 BETWEEN 40 AND 79, 1000, 500)) FROM launch WHERE k < 119)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 61, enter / 1000.0, (enter + own) / 1000.0, start / 1000.0, (start + 600) / 1000.0,
         NULL, NULL FROM launch;
WITH RECURSIVE query(enter) AS (SELECT 20000 UNION ALL SELECT enter + 200 FROM query WHERE enter < 59600)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamQuery', 13, NULL, 73, enter / 1000.0, (enter + 200) / 1000.0 FROM query;
UPDATE calls SET thread_id = 102 WHERE site_id = 73;
UPDATE calls SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
UPDATE operations SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
UPDATE calls SET result = 600 WHERE site_id = 73 AND EXISTS (SELECT 1 FROM operations o
  WHERE o.start_ns <= calls.start_ns AND o.end_ns > calls.start_ns);
INSERT INTO strings SELECT 10 + id, '_Z4step' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id;
-- Found:
wall 84.6 ms, overlapped 0 ms, lost 12.1 (12.1 to 12.1) ms, replayed 84.6 ms
busy-poll app.cu:73, 1 times, blocked 39.8 ms, lost 12.1 (12.1 to 12.1) ms
  at 20 ms for 39.8 ms: call 42
