-- Three kernels of 10 ms in a row, which page faults of 1 MB cover for 6 ms; one like them without faults takes 7 ms, so that
-- others of their threads went on meanwhile: 3 ms of each are the faults', 1.5 ms untraced. 1 MB takes 1 ms as
-- a copy at 1 GB/s: 3 x 0.5 ms less; at the low end nothing, at the high end 9 ms.
INSERT INTO metadata VALUES
  ('managed_memory', 'on'), ('pinned_h2d_bytes_per_s', '1000000000'),
  ('pinned_h2d_latency_ns', '0');
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 10, NULL, NULL),
  ('kernel', NULL, 13, 41, 0, 0, 10, 20, NULL, NULL),
  ('kernel', NULL, 13, 41, 0, 0, 20, 30, NULL, NULL),
  ('kernel', NULL, 13, 41, 0, 0, 30, 37, NULL, NULL);
INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags) VALUES
  (4, 1000000000, 1006000000, 61000000, 7, 1), (1, 1002000000, 1003000000, 61000000, 1000000, 2),
  (4, 1010000000, 1016000000, 62000000, 7, 1), (1, 1012000000, 1013000000, 62000000, 1000000, 2),
  (4, 1020000000, 1026000000, 63000000, 7, 1), (1, 1022000000, 1023000000, 63000000, 1000000, 2);
-- Found:
wall 37 ms, overlapped 0 ms, lost 1.5 (0 to 9) ms, replayed 37 ms
managed-fault app.cu:41, 3 times, blocked 30 ms, lost 1.5 (0 to 9) ms
  at 0 ms for 10 ms: operation 1
  at 10 ms for 10 ms: operation 2
  at 20 ms for 10 ms: operation 3
not seen: managed memory: 3 3 30
managed-fault finds 3 waits, and 0 as replayed
