-- A function that is called five times, 20 ms each: it creates a stream (2 ms), runs a kernel (10 ms) and
-- copies its result out (3 ms) in it, waits, and destroys it (4 ms). Kept, the stream saves four creations
-- and four destructions: 24 of 99 ms. The first creation and the last destruction stay.
INSERT INTO streams (context_id, id, flag, priority, handle, created_ns, destroyed_ns)
  SELECT 1, 30 + n, 2, 0, 3000, 1000000000 + (20 * n + 1) * 1000000,
  1000000000 + (20 * n + 16) * 1000000 FROM number WHERE n < 5;
INSERT INTO call
  SELECT 'cudaStreamCreate', 30 + n, 3000, 70, 20 * n, 20 * n + 2 FROM number WHERE n < 5;
INSERT INTO operation
  SELECT 'kernel', NULL, 30 + n, 72, 20 * n + 2, 20 * n + 2, 20 * n + 2, 20 * n + 12, NULL, NULL
  FROM number WHERE n < 5;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 30 + n, 73, 20 * n + 2, 20 * n + 2, 20 * n + 12, 20 * n + 15, 11000000,
  61000000 FROM number WHERE n < 5;
INSERT INTO call
  SELECT 'cudaStreamSynchronize', 30 + n, NULL, 74, 20 * n + 3, 20 * n + 15 FROM number WHERE n < 5;
INSERT INTO call
  SELECT 'cudaStreamDestroy', 30 + n, NULL, 75, 20 * n + 15, 20 * n + 19 FROM number WHERE n < 5;
UPDATE calls SET stream_handle = 3000 WHERE stream_handle >= 3000;
-- Found:
wall 99 ms, overlapped 0 ms, lost 24 (24 to 24) ms, replayed 99 ms
stream-churn app.cu:70, 4 times, blocked 8 ms, lost 24 (24 to 24) ms
  at 20 ms for 2 ms: call 6
  at 40 ms for 2 ms: call 11
  at 60 ms for 2 ms: call 16
not seen: sync-in-loop: 4 48
