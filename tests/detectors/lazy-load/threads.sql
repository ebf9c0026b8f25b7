-- As driver.sql, of two threads at once, the other 0.1 ms later and with a lower id: its launches begin with their
-- loading too, before the other's launches, which lie behind that.
-- Base: lazy-load/driver.sql
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
-- Found:
wall 106.6 ms, overlapped 1.8 ms, lost 10 (10 to 12.5) ms, replayed 106.6 ms
lazy-load app.cu:61, 10 times, blocked 25 ms, lost 10 (10 to 12.5) ms
  at 18 ms for 2.5 ms: call 19 operation 13, unexplained 2.5 ms
  at 18.1 ms for 2.5 ms: call 20 operation 14, unexplained 2.5 ms
  at 36 ms for 2.5 ms: call 37 operation 25, unexplained 2.5 ms
not seen: sync-in-loop: 34 102
not seen: events and queries: 72 72
