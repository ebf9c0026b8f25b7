-- Near-miss: 4 bytes come back each time, and decide what is next: 1 us is enough to read them.
INSERT INTO operation VALUES
  ('kernel', NULL,  7, 61,  0,     0,  0, 29, NULL, NULL),
  ('d2h', 'pinned', 7, 62,  0,    30, 29, 30, 11000000, 61000000),
  ('kernel', NULL,  7, 61, 30.001, 30.001, 30.001, 60, NULL, NULL),
  ('d2h', 'pinned', 7, 62, 30.001, 61, 60, 61, 11000000, 61000000);
INSERT INTO made_by VALUES (62, 'cudaMemcpy');
INSERT INTO copies VALUES (4);
-- Found:
wall 61 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 61 ms
not seen: blocking-copy: 1 30
