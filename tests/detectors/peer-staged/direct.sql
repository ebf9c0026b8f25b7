-- As halo.sql, but each copy takes 2 ms: as fast as to the host, which a direct one over PCIe is, too.
INSERT INTO metadata VALUES
  ('pinned_d2h_bytes_per_s', '500000000'), ('pinned_d2h_latency_ns', '0');
INSERT INTO devices (id, name, copy_engines, link_bytes_per_s) VALUES (1, 'NVIDIA H100', 3, 1);
INSERT INTO contexts VALUES (2, 1, 7);
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (2, 43, 1, 0, 4300);
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 30, 0, 0,  0, 10, NULL, NULL),
  ('h2d', 'pinned', 13, 31, 0, 0, 28, 30, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 30, 40, NULL, NULL),
  ('h2d', 'pinned', 13, 31, 0, 0, 58, 60, 1000000, 51000000),
  ('kernel', NULL,  13, 30, 0, 0, 60, 70, NULL, NULL),
  ('h2d', 'pinned', 13, 31, 0, 0, 88, 90, 1000000, 51000000),
  ('kernel', NULL,  43, 32, 0, 0,  0, 10, NULL, NULL);
INSERT INTO made_by VALUES (31, 'cudaMemcpyPeerAsync');
UPDATE operations SET copy_kind = 10, src_kind = 3, dst_kind = 3, src_device_id = 0, dst_device_id = 1 WHERE kind = 2;
UPDATE operations SET device_id = 1, context_id = 2 WHERE stream_id = 43;
-- Found:
wall 90 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 90 ms
device 0: 90 ms, replayed 90 ms, lost 0 ms
device 1: 10 ms, replayed 10 ms, lost 0 ms
