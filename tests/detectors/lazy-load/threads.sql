-- As driver.sql, of two threads at once, the other 0.1 ms later and with a lower id: its launches begin with their
-- loading too, before the other's launches, which lie behind that.
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5)
INSERT INTO strings SELECT 10 + n, '_Z6level' || n || 'Pf' FROM level;
CREATE TABLE step AS
WITH RECURSIVE level(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM level WHERE n < 5),
  launch(k, enter, leave) AS (VALUES (0, 0, 3), (1, 8, 8), (2, 13, 13))
  SELECT n, 18 * n + enter AS enter, 18 * n + leave AS leave FROM level, launch ORDER BY n, k;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 13, 61, enter, leave, leave, leave + 3, NULL, NULL FROM step;
UPDATE operations SET name_id = 10 + (id - 1) / 3;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'd2h', 'pinned', 13, 62, leave, leave, leave + 3, leave + 4, 11000000, 61000000 FROM step;
INSERT INTO call (function, stream, event, line, enter, leave)
  SELECT 'cudaStreamSynchronize', 13, NULL, 63, leave + 1, leave + 4 FROM step;
INSERT INTO overheads (kind, start_ns, end_ns, thread_id)
  SELECT 327680, start_ns + 500000, start_ns + 2500000, 100 FROM calls
  WHERE site_id = 61 AND end_ns - start_ns = 3000000;
UPDATE calls SET start_ns = start_ns + 2510000 WHERE site_id = 61 AND end_ns - start_ns = 3000000;
UPDATE calls SET api_path = 1;
INSERT INTO threads VALUES (99, 'app');
INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id,
    correlation_id, stream_handle, dst, src, size_bytes)
  SELECT id + 1000, 99, function_id, start_ns + 100000, end_ns + 100000, result, api_path, per_thread_stream, site_id,
    correlation_id + 1000, 1400, dst + 1000000, src + 1000000, size_bytes FROM calls;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id, copy_kind,
    src_kind, dst_kind, is_async, size_bytes)
  SELECT kind, start_ns + 100000, end_ns + 100000, device_id, context_id, 14, correlation_id + 1000, name_id, copy_kind,
    src_kind, dst_kind, is_async, size_bytes FROM operations;
INSERT INTO overheads (kind, start_ns, end_ns, thread_id)
  SELECT kind, start_ns + 100000, end_ns + 100000, 99 FROM overheads;
