-- Another thread polls an event behind a copy of 9.9 ms, every half a millisecond, while kernels are launched.
INSERT INTO threads VALUES (102, 'poller');
WITH RECURSIVE launch(at) AS (SELECT 0 UNION ALL SELECT at + iif(at < 10, 2, 1) FROM launch WHERE at < 20)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 61, at, at, at, at + 0.1, NULL, NULL FROM launch;
INSERT INTO operation VALUES ('h2d', 'pinned', 23, 71, 0, 0, 0, 9.9, 1000000, 51000000);
INSERT INTO call VALUES ('cudaEventRecord', 23, 900, 72, 0, 0);
INSERT INTO call
  SELECT 'cudaEventQuery', NULL, 900, 73, at / 2.0, at / 2.0
  FROM (SELECT n at FROM number) WHERE at < 21;
UPDATE calls SET thread_id = 102 WHERE site_id > 70;
UPDATE calls SET result = 600 WHERE site_id = 73 AND start_ns < 1009900000;
UPDATE calls SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
UPDATE operations SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
INSERT INTO strings SELECT 10 + id, '_Z4step' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id WHERE kind = 1;
