-- Near-miss: as frames.sql, but called three times, which may be start-up.
INSERT INTO streams (context_id, id, flag, priority, handle, created_ns, destroyed_ns)
  SELECT 1, 30 + n, 2, 0, 3000, 1000000000 + (20 * n + 1) * 1000000,
  1000000000 + (20 * n + 16) * 1000000 FROM number WHERE n < 3;
INSERT INTO call
  SELECT 'cudaStreamCreate', 30 + n, 3000, 70, 20 * n, 20 * n + 2 FROM number WHERE n < 3;
INSERT INTO operation
  SELECT 'kernel', NULL, 30 + n, 72, 20 * n + 2, 20 * n + 2, 20 * n + 2, 20 * n + 12, NULL, NULL
  FROM number WHERE n < 3;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 30 + n, 73, 20 * n + 2, 20 * n + 2, 20 * n + 12, 20 * n + 15, 11000000,
  61000000 FROM number WHERE n < 3;
INSERT INTO call
  SELECT 'cudaStreamSynchronize', 30 + n, NULL, 74, 20 * n + 3, 20 * n + 15 FROM number WHERE n < 3;
INSERT INTO call
  SELECT 'cudaStreamDestroy', 30 + n, NULL, 75, 20 * n + 15, 20 * n + 19 FROM number WHERE n < 3;
UPDATE calls SET stream_handle = 3000 WHERE stream_handle >= 3000;
-- Found:
wall 59 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 59 ms
not seen: sync-in-loop: 2 24
