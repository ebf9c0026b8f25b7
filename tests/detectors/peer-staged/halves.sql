-- Three copies of 1 MB from device 0 to device 1, each behind a kernel of 10 ms: 18 ms each, in halves of which only the
-- last pieces are in the records, 2 ms to the host and 2 ms from it. A direct one was measured at 1000 MB/s: 1 ms.
INSERT INTO metadata VALUES ('peer_bytes_per_s', '1000000000');
INSERT INTO devices (id, name, copy_engines) VALUES (1, 'NVIDIA H100', 3);
INSERT INTO contexts (id, device_id, null_stream_id) VALUES (2, 1, 7);
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (2, 43, 1, 0, 4300), (2, 44, 1, 0, NULL);
INSERT INTO functions VALUES (60, 'cudaMemcpyPeerAsync', 'copy');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 30, 0, 0,  0, 10, NULL, NULL),
  ('d2h', 'pinned', 13, 31, 0, 0, 26, 28, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 30, 40, NULL, NULL),
  ('d2h', 'pinned', 13, 31, 0, 0, 56, 58, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 60, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 31, 0, 0, 86, 88, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 90, 100, NULL, NULL),
  ('kernel', NULL,  13, 30, 0, 0, 100, 110, NULL, NULL),
  ('kernel', NULL,  43, 32, 0, 0,  0, 10, NULL, NULL);
INSERT INTO made_by (line, function) VALUES (31, 'cudaMemcpyPeerAsync');
UPDATE operations SET src_kind = 3, dst_kind = 3 WHERE kind = 2;
UPDATE operations SET device_id = 1, context_id = 2 WHERE stream_id = 43;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, copy_kind, src_kind,
                        dst_kind, is_async, size_bytes)
  SELECT 2, end_ns, end_ns + 2000000, 1, 2, 44, correlation_id, 1, 3, 3, 1, size_bytes FROM operations WHERE kind = 2;
