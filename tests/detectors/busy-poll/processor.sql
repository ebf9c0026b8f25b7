-- One processor. Thread 100 works for 1 ms before each of 15 launches. Until 10 ms it takes 2 ms each, because
-- thread 102 queries the event behind its copy meanwhile, every 0.5 ms without a sleep, and each has the processor
-- for half of the time: thread 100 was ready for 5 ms without one. If thread 102 sleeps the launches are done
-- at 15 and not at 20. At the low end its 5 ms are spread over all of its 20: half of them.
INSERT INTO metadata VALUES ('host_cpus', '1');
INSERT INTO functions (id, name, class) VALUES (21, 'cudaEventQuery', 'event-query');
INSERT INTO threads VALUES (102, 'poller');
INSERT INTO thread_times (thread_id, start_ns, end_ns, cpu_ns, ready_ns, runs) VALUES
  (100, 1000000000, 1020000000, 15000000, 5000000, 10), (102, 1000000000, 1010000000, 5000000, 5000000, 5);
WITH RECURSIVE launch(at) AS (SELECT 0 UNION ALL SELECT at + iif(at < 10, 2, 1) FROM launch WHERE at < 20)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 61, at, at, at, at + 0.1, NULL, NULL FROM launch;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 23, 71, 0, 0, 0, 9.9, 1000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaEventRecord', 23, 900, 72, 0, 0);
WITH RECURSIVE query(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM query WHERE at < 20)
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaEventQuery', NULL, 900, 73, at / 2.0, at / 2.0 FROM query;
UPDATE calls SET thread_id = 102 WHERE site_id > 70;
UPDATE calls SET result = 600 WHERE site_id = 73 AND start_ns < 1009900000;
UPDATE calls SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
UPDATE operations SET start_ns = CAST(start_ns AS INTEGER), end_ns = CAST(end_ns AS INTEGER);
INSERT INTO strings SELECT 10 + id, '_Z4step' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id WHERE kind = 1;
