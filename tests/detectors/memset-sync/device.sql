-- Near-miss: cudaMemset of device memory. The set waits as long in the default stream, and the host does
-- not: nothing is blocked, and no other stream has work that waits for it.
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 61,  0,  0,  0, 30, NULL, NULL),
  ('h2d', 'pinned',  7, 62,  1,  1, 30, 31, NULL, 51000000),
  ('kernel', NULL,   7, 64,  1,  1, 31, 51, NULL, NULL);
UPDATE calls SET function_id = 23, stream_handle = NULL WHERE site_id = 62;
UPDATE operations SET kind = 3, copy_kind = NULL, src_kind = NULL, dst_kind = 3, is_async = 0
  WHERE correlation_id = (SELECT correlation_id FROM calls WHERE site_id = 62);
-- Found:
wall 51 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 51 ms
