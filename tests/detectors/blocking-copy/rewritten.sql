-- Near-miss: the host has 5 ms to write the buffer anew before the next cudaMemcpy() from it.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned',  7, 62,  0, 10,  0, 10, 1000000, 51000000),
  ('kernel', NULL,   7, 61, 15, 15, 15, 35, NULL, NULL),
  ('h2d', 'pinned',  7, 62, 15, 45, 35, 45, 1000000, 51000000);
INSERT INTO made_by (line, function) VALUES (62, 'cudaMemcpy');
