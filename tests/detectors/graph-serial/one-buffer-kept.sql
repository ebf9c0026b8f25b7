-- Near-miss: the first kernel works on what the copy of the launch before has left in the buffer, whichever that is: the
-- copy of this launch must not overwrite it before.
-- Base: graph-serial/one-buffer.sql
UPDATE calls SET function_id = 2, src = NULL, dst = NULL, size_bytes = NULL, arguments_id = 2 WHERE site_id = 71;
UPDATE operations SET kind = 1, name_id = 2, copy_kind = NULL, src_kind = NULL, dst_kind = NULL, is_async = NULL, size_bytes = NULL
  WHERE graph_node_id = 202;
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
