-- Near-miss: as mapped.sql, in a trace of more streams than are followed for what kernels write: no argument
-- counts, and the pinned memory may be what any kernel writes.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaHostAlloc', 'host-alloc');
INSERT INTO allocation (address, size) VALUES (61000000, 1000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaHostAlloc', NULL, NULL, 5, 0, 0);
UPDATE calls SET dst = 31000000, size_bytes = 1000000 WHERE site_id = 5;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 1, 1, 1, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 42, 2, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 43, 40, 40, 40, 60, 1000000, 51000000);
INSERT INTO launch (call, reads, writes) VALUES (2, 61000000, 31500000);
WITH RECURSIVE stream(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM stream WHERE n < 3100)
INSERT INTO streams (context_id, id, flag, priority, handle) SELECT 1, n, 2, 0, 100 * n FROM stream;
