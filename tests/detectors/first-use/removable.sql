-- As sync-in-loop-read, where the host had the time to read what it waited for, and here it is seen
-- that it did not, before the wait at the end: both ends of the interval drop the wait. The second
-- chunk is enqueued 5 ms after the first, whose copy in ends at 10: kernels run 10 to 30 to 50, the
-- copy out ends at 60, 25 ms before.
-- Base: sync-in-loop/read.sql
INSERT INTO first_use VALUES (3, 40, 0, NULL, NULL, 1000000), (7, 85, 0, NULL, NULL, 1000000);
-- Found:
wall 85 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 85 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 25 (25 to 25) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, removable
