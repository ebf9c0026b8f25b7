-- Near-miss: as again.sql, but a copy out of the device fills the host memory that the copy in reads, which is
-- enqueued before that is done: the hash is of what was there before.
-- Base: redundant-transfer/again.sql
UPDATE rounds SET times = 1;
INSERT INTO operation
  SELECT 'd2h', 'pinned', 14, 40, (start_ns - 1000000000) / 1000000 - 1,
  (start_ns - 1000000000) / 1000000 - 1, (start_ns - 1000000000) / 1000000 - 1,
  (start_ns - 1000000000) / 1000000 + 1, 1000000, 61000000 FROM calls WHERE site_id = 30 AND id > 1;
-- Found:
wall 160 ms, overlapped 3 ms, lost 0 (0 to 0) ms, replayed 160 ms
sync-in-loop app.cu:33, 3 times, blocked 120 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 40 ms: call 4 operation 5 cause 3, stream 40 ms
  at 40 ms for 40 ms: call 9 operation 9 cause 7, stream 40 ms
  at 80 ms for 40 ms: call 14 operation 13 cause 11, stream 40 ms
