-- As branches.sql, but each half is a copy of a frame into memory 51 and a kernel that reads it there: both frames go
-- through one buffer. With a second one the second copy runs beside the first kernel, and the second kernel behind
-- both: 2 x 30 ms instead of 2 x 40.
-- Base: graph-serial/branches.sql
INSERT INTO allocation VALUES (53000000, 1000000);
UPDATE calls SET function_id = 1, src = 1000000 * (1 + id), dst = 51000000, size_bytes = 1000000, arguments_id = NULL
  WHERE site_id IN (71, 73);
UPDATE operations SET kind = 2, name_id = NULL, copy_kind = 1, src_kind = 2, dst_kind = 3, is_async = 1, size_bytes = 1000000
  WHERE graph_node_id IN (202, 204);
UPDATE launch_arguments SET address = iif(position = 0, 51000000, iif(id = 3, 52000000, 53000000)) WHERE id IN (3, 5);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 80 ms
graph-serial app.cu:73, 2 times, blocked 20 ms, lost 20 (20 to 20) ms
  at 10 ms for 10 ms: operation 3 cause 2
  at 50 ms for 10 ms: operation 7 cause 6
