-- cudaMemset of pinned memory, in the default stream: the set waits for the kernel of a blocking stream
-- (until 30 ms), and the host for the set (until 31). With the set in stream 14 it shares the GPU with the
-- first kernel, which so ends at 31; the copy that follows runs from 3 to 13, and the kernel behind it
-- from 31 to 51: 10 ms less than 61.
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 61,  0,  0,  0, 30, NULL, NULL),
  ('h2d', 'pinned',  7, 62,  1, 31, 30, 31, 1000000, 51000000),
  ('h2d', 'pinned', 14, 63, 31, 31, 31, 41, 2000000, 52000000),
  ('kernel', NULL,  14, 64, 31, 31, 41, 61, NULL, NULL);
UPDATE calls SET function_id = 23, stream_handle = NULL, dst = 1000000, src = NULL WHERE site_id = 62;
UPDATE operations SET kind = 3, copy_kind = NULL, src_kind = NULL, dst_kind = 2, is_async = 0
  WHERE correlation_id = (SELECT correlation_id FROM calls WHERE site_id = 62);
-- Found:
wall 61 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 61 ms
memset-sync app.cu:62, 1 times, blocked 30 ms, lost 10 (10 to 10) ms
  at 1 ms for 30 ms: call 2 operation 3 cause 2, other streams 29 ms, copy 1 ms
