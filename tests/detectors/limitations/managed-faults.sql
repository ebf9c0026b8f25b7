-- Two kernels use managed memory. Page faults of the first, and what the driver moved ahead of them, brought
-- 3 MB. A prefetch that the program asked for does not count, nor does a movement to the host, a fault (its
-- value is a count), and what moved outside the kernels.
INSERT INTO metadata VALUES ('managed_memory', 'on');
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 41, 1, 1, 1, 10, NULL, NULL),
  ('kernel', NULL, 13, 42, 2, 2, 10, 12, NULL, NULL);
INSERT INTO managed_memory (kind, start_ns, end_ns, address, value, flags) VALUES
  (1, 1009999999, 1010000001, 61000000, 1000000, 2),
  (1, 1001000000, 1002000000, 62000000, 2000000, 3),
  (1, 1010500000, 1011000000, 63000000, 4000000, 1),
  (2, 1011000000, 1011500000, 64000000, 8000000, 2),
  (4, 1011000000, 1011500000, 64000000, 16000000, 2),
  (1, 1000999999, 1001000000, 65000000, 32000000, 2),
  (1, 1012000000, 1012000001, 66000000, 64000000, 2);
-- Found:
wall 11 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 11 ms
not seen: managed memory: 3 1 9
