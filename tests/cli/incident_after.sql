-- Behind incident.sql and the case: the slow step itself, and the steps after it, with the device.
INSERT INTO steps SELECT 48213, 100, 1200000000, 1210000000 + ms * 1000000, 'nvtx', 'slow', 100000 FROM extra;
INSERT INTO steps SELECT 48214 + n, 100, 1210000000 + (ms + n * 10) * 1000000, 1220000000 + (ms + n * 10) * 1000000, 'nvtx',
  'after', NULL FROM number, extra WHERE n < 5;
INSERT INTO incidents (cause, noticed_ns, step, median_ns, normal_before, device_start_ns, device_end_ns)
  SELECT 'slow-step', 1210000000 + ms * 1000000, 48213, 10000000, 212, 1210000000 + ms * 1000000, 1260000000 + ms * 1000000
  FROM extra;
UPDATE rounds SET times = 5, ms = 10;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 10, 214 + ms, 214.1 + ms, 214.2 + ms, 219 + ms, NULL, NULL FROM extra
  UNION ALL SELECT 'h2d', 'pinned', 13, 11, 214.2 + ms, 214.3 + ms, 219 + ms, 219.4 + ms, 1000000, 50000000 FROM extra;
INSERT INTO wait SELECT 214.5 + ms, 219.5 + ms FROM extra;
INSERT INTO host_state SELECT 100, 'running', 101, 210 + ms, 214 + ms, 0, 0, NULL FROM extra;
UPDATE rounds SET times = 1, ms = 0;
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 11 AND size_bytes IS NULL;
UPDATE calls SET object = 500 WHERE site_id = 10;
UPDATE host_states SET looks = max(1, (end_ns - start_ns) / 1000000) WHERE looks = 2;
