-- Near-miss: the host has 5 ms to write the buffer anew before the next cudaMemcpy() from it.
INSERT INTO operation VALUES
  ('h2d', 'pinned',  7, 62,  0, 10,  0, 10, 1000000, 51000000),
  ('kernel', NULL,   7, 61, 15, 15, 15, 35, NULL, NULL),
  ('h2d', 'pinned',  7, 62, 15, 45, 35, 45, 1000000, 51000000);
INSERT INTO made_by VALUES (62, 'cudaMemcpy');
-- Found:
wall 45 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 45 ms
not seen: blocking-copy: 1 10
