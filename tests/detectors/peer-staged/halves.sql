-- Three copies of 1 MB from device 0 to device 1, each behind a kernel of 10 ms: 18 ms each, in halves of which only the
-- last pieces are in the records, 2 ms to the host and 2 ms from it. A direct one was measured at 1000 MB/s: 1 ms.
INSERT INTO metadata VALUES ('peer_bytes_per_s', '1000000000');
INSERT INTO devices (id, name, copy_engines, link_bytes_per_s) VALUES (1, 'NVIDIA H100', 3, 1);
INSERT INTO contexts VALUES (2, 1, 7);
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (2, 43, 1, 0, 4300), (2, 44, 1, 0, NULL);
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 30, 0, 0,  0, 10, NULL, NULL),
  ('d2h', 'pinned', 13, 31, 0, 0, 26, 28, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 30, 40, NULL, NULL),
  ('d2h', 'pinned', 13, 31, 0, 0, 56, 58, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 60, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 31, 0, 0, 86, 88, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 90, 100, NULL, NULL),
  ('kernel', NULL,  13, 30, 0, 0, 100, 110, NULL, NULL),
  ('kernel', NULL,  43, 32, 0, 0,  0, 10, NULL, NULL);
INSERT INTO made_by VALUES (31, 'cudaMemcpyPeerAsync');
UPDATE operations SET src_kind = 3, dst_kind = 3 WHERE kind = 2;
UPDATE operations SET device_id = 1, context_id = 2 WHERE stream_id = 43;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, copy_kind, src_kind,
                        dst_kind, is_async, size_bytes)
  SELECT 2, end_ns, end_ns + 2000000, 1, 2, 44, correlation_id, 1, 3, 3, 1, size_bytes FROM operations WHERE kind = 2;
-- Found:
wall 110 ms, overlapped 0 ms, lost 54 (54 to 54) ms, replayed 110 ms
device 0: 110 ms, replayed 110 ms, lost 54 ms
device 1: 90 ms, replayed 90 ms, lost 80 ms
peer-staged app.cu:31, 3 times, blocked 54 ms, lost 51 (51 to 54) ms
  at 10 ms for 18 ms: operation 3
  at 40 ms for 18 ms: operation 6
  at 70 ms for 18 ms: operation 9
serial-stream app.cu:30, 3 times, blocked 54 ms, lost 20 (20 to 20) ms
  in the order of the list: 3 ms
  at 10 ms for 18 ms: operation 5 cause 3
  at 40 ms for 18 ms: operation 8 cause 6
  at 70 ms for 18 ms: operation 11 cause 9
serial-stream app.cu:31, 2 times, blocked 56 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 28 ms: operation 7 cause 4
  at 30 ms for 28 ms: operation 10 cause 7
  fix: the other one
