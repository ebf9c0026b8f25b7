-- The iterations of the other case on device 0. On device 1 kernels of line 31, which use no managed memory, begin
-- half a millisecond earlier: the faults are not theirs, and line 41 has all of them.
-- Base: managed-fault/iterations.sql
INSERT INTO devices (id, name, copy_engines, link_bytes_per_s) VALUES (1, 'NVIDIA H100', 3, 1);
INSERT INTO contexts VALUES (2, 1, 7);
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (2, 43, 1, 0, 4300);
UPDATE managed_memory SET src_device_id = 0, dst_device_id = 0 WHERE kind < 3;
UPDATE managed_memory SET src_device_id = 0 WHERE kind = 4;
UPDATE rounds SET times = 4, ms = 20;
INSERT INTO operation VALUES ('kernel', NULL, 43, 31, 0, 0, 0, 10, NULL, NULL);
UPDATE operations SET start_ns = start_ns + 500000 WHERE stream_id = 13;
UPDATE operations SET device_id = 1, context_id = 2 WHERE stream_id = 43;
-- Found:
wall 81 ms, overlapped 0 ms, lost 6 (5.55556 to 10) ms, replayed 81 ms
device 1: 70 ms, replayed 70 ms, lost 4.5 ms
device 0: 69.5 ms, replayed 69.5 ms, lost 4.5 ms
managed-fault app.cu:41, 4 times, blocked 54 ms, lost 6 (5.55556 to 10) ms
  at 1.5 ms for 13.5 ms: operation 2
  at 21.5 ms for 13.5 ms: operation 4
  at 41.5 ms for 13.5 ms: operation 6
not seen: managed memory: 4 4 40
managed-fault finds 4 waits, and 0 as replayed
