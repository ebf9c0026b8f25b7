-- Near-miss: as shapes.sql, but each graph is changed right before its launch: it cannot be uploaded behind the launch
-- before.
-- Base: graph-launch-gap/shapes.sql
UPDATE calls SET start_ns = start_ns + 1000000 WHERE site_id = 75;
INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id, object)
  SELECT id + 1000, 100, 36, start_ns - 1000000, start_ns, 0, 0, 0, 73, object FROM calls WHERE site_id = 75;
-- Found:
wall 65 ms, overlapped 0 ms, lost 24 (24 to 24) ms, replayed 65 ms
sync-in-loop app.cu:77, 4 times, blocked 24 ms, lost 24 (24 to 24) ms
  at 11 ms for 6 ms: call 8 operation 3 cause 2, stream 6 ms
  at 23 ms for 6 ms: call 11 operation 5 cause 4, stream 6 ms
  at 35 ms for 6 ms: call 14 operation 7 cause 6, stream 6 ms
  fix: the other one
