-- The second branch is a copy to the host of other memory, and a kernel that works on it: both run
-- beside the two kernels.
-- Base: graph-serial/branches.sql
UPDATE calls SET function_id = 1, src = 52000000, dst = 1000000, size_bytes = 1000000, arguments_id = NULL WHERE site_id = 73;
UPDATE operations SET kind = 2, name_id = NULL, copy_kind = 2, src_kind = 3, dst_kind = 2, is_async = 1, size_bytes = 1000000 WHERE graph_node_id = 204;
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 80 ms
graph-serial app.cu:73, 2 times, blocked 40 ms, lost 40 (40 to 40) ms
  at 0 ms for 20 ms: operation 3 cause 2
  at 40 ms for 20 ms: operation 7 cause 6
