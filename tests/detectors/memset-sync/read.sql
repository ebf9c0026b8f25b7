-- The same set as in pinned.sql, behind a copy to the host, which the host can read after it: the low end
-- keeps the wait. Without it the first kernel ends at 31, the copy in runs beside it, and the second
-- kernel beside the copy out, from 31 to 51: 21 ms less than 72.
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 61,  0,  0,  0, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 65,  0,  0, 30, 40, 11000000, 61000000),
  ('h2d', 'pinned',  7, 62,  1, 41, 40, 41, 1000000, 51000000),
  ('h2d', 'pinned', 14, 63, 42, 42, 42, 52, 2000000, 52000000),
  ('kernel', NULL,  14, 64, 42, 42, 52, 72, NULL, NULL);
UPDATE calls SET function_id = 23, stream_handle = NULL, dst = 1000000, src = NULL WHERE site_id = 62;
UPDATE operations SET kind = 3, copy_kind = NULL, src_kind = NULL, dst_kind = 2, is_async = 0
  WHERE correlation_id = (SELECT correlation_id FROM calls WHERE site_id = 62);
-- Found:
wall 72 ms, overlapped 0 ms, lost 21 (0 to 21) ms, replayed 72 ms
memset-sync app.cu:62, 1 times, blocked 40 ms, lost 21 (0 to 21) ms
  at 1 ms for 40 ms: call 3 operation 4 cause 3 needed 2, other streams 39 ms, copy 1 ms
