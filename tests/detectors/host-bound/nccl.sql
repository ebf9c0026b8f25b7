-- As in prepares.sql, beside NCCL: it has pinned memory that no copy uses, and another thread asks meanwhile whether
-- collectives are done, until 13 ms. Neither says that the host needs results.
-- Base: host-bound/prepares.sql
INSERT INTO modules VALUES (2, '/usr/lib/x86_64-linux-gnu/libnccl.so.2', NULL);
UPDATE frames SET module_id = 2, function = NULL, file = NULL, line = NULL WHERE site_id = 90;
UPDATE rounds SET times = 1;
INSERT INTO call VALUES ('cuMemHostAlloc', NULL, NULL, 90, 0, 0);
UPDATE calls SET dst = 77000000, size_bytes = 65536 WHERE site_id = 90;
INSERT INTO threads VALUES (101, 'watchdog');
INSERT INTO call SELECT 'cudaEventQuery', NULL, NULL, 91, n, n FROM number WHERE n < 14;
UPDATE calls SET thread_id = 101, start_ns = start_ns + 500000, end_ns = end_ns + 501000 WHERE site_id = 91;
-- Found:
wall 27 ms, overlapped 0 ms, lost 9 (9 to 9) ms, replayed 27 ms
host-bound app.cu:40, 4 times, blocked 12 ms, lost 9 (9 to 9) ms
  at 3 ms for 3 ms: call 11 operation 3
  at 9 ms for 3 ms: call 20 operation 5
  at 15 ms for 3 ms: call 25 operation 7
sync-in-loop app.cu:42, 4 times, blocked 12 ms, lost 9 (9 to 9) ms
  in the order of the list: 0 ms
  at 0 ms for 3 ms: call 3 operation 3 cause 2, stream 3 ms
  at 6 ms for 3 ms: call 13 operation 5 cause 4, stream 3 ms
  at 12 ms for 3 ms: call 22 operation 7 cause 6, stream 3 ms
