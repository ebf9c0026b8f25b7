-- Near-miss: five streams, created and destroyed one after the other without a wait: each still works when
-- the next one is created, and they run side by side. One stream in place of them would run them one behind
-- the other.
INSERT INTO streams (context_id, id, flag, priority, handle, created_ns, destroyed_ns)
  SELECT 1, 30 + n, 2, 0, 3000 + n, 1000000000 + (4 * n + 1) * 1000000,
  1000000000 + (4 * n + 3) * 1000000 FROM number WHERE n < 5;
INSERT INTO call
  SELECT 'cudaStreamCreate', 30 + n, 3000 + n, 70, 4 * n, 4 * n + 1 FROM number WHERE n < 5;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 30 + n, 72, 4 * n + 1, 4 * n + 1, 40 + 10 * n, 50 + 10 * n,
  (11 + n) * 1000000, (61 + n) * 1000000 FROM number WHERE n < 5;
INSERT INTO call
  SELECT 'cudaStreamDestroy', 30 + n, NULL, 75, 4 * n + 2, 4 * n + 4 FROM number WHERE n < 5;
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 76, 20, 90);
UPDATE calls SET stream_handle = 3000 + stream_handle / 100 - 30 WHERE stream_handle >= 3000;
-- Found:
wall 90 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 90 ms
