-- Near-miss: the launches from 20 to 60 ms take longer, but the thread sleeps for 0.3 ms between its queries.
INSERT INTO threads VALUES (102, 'poller');
WITH RECURSIVE launch(k, enter, own) AS (
  SELECT 0, 0.0, 0.5
  UNION ALL SELECT k + 1, enter + own, iif(k + 1 BETWEEN 40 AND 79, 1.0, 0.5) FROM launch WHERE k < 119)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 61, enter, enter + own, enter + own, enter + own + 0.1, NULL, NULL FROM launch;
INSERT INTO operation VALUES ('h2d', 'pinned', 23, 71, 15, 15, 15, 59.7, 1000000, 51000000);
INSERT INTO call VALUES ('cudaEventRecord', 23, 900, 72, 15, 15);
WITH RECURSIVE query(enter) AS (SELECT 20.0 UNION ALL SELECT enter + 0.5 FROM query WHERE enter < 59.7 - 0.2)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventQuery', NULL, 900, 73, enter, enter + 0.2 FROM query;
UPDATE calls SET thread_id = 102 WHERE site_id > 70;
UPDATE calls SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
UPDATE operations SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
INSERT INTO strings SELECT 10 + id, '_Z4step' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id WHERE kind = 1;
UPDATE calls SET result = 600 WHERE site_id = 73 AND end_ns < 1000000000 + 59.7 * 1000000;
-- Found:
wall 80.1 ms, overlapped 5 ms, lost 0 (0 to 0) ms, replayed 80.1 ms
