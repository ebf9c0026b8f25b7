-- cudaMemset of pinned memory, in the default stream: the set waits for the kernel of a blocking stream
-- (until 30 ms), and the host for the set (until 31). With the set in stream 14 it shares the GPU with the
-- first kernel, which so ends at 31; the copy that follows runs from 3 to 13, and the kernel behind it
-- from 31 to 51: 10 ms less than 61.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaMemset', 'set');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 61,  0,  0,  0, 30, NULL, NULL),
  ('h2d', 'pinned',  7, 62,  1, 31, 30, 31, 1000000, 51000000),
  ('h2d', 'pinned', 14, 63, 31, 31, 31, 41, 2000000, 52000000),
  ('kernel', NULL,  14, 64, 31, 31, 41, 61, NULL, NULL);
UPDATE calls SET function_id = 20, stream_handle = NULL, dst = 1000000, src = NULL WHERE site_id = 62;
UPDATE operations SET kind = 3, copy_kind = NULL, src_kind = NULL, dst_kind = 2, is_async = 0
  WHERE correlation_id = (SELECT correlation_id FROM calls WHERE site_id = 62);
