-- Two chunks with one buffer for their results, 80 ms. In streams the second kernel writes it when the
-- first copy back has read it: copy in 10 to 20, kernel 40 to 60, copy back 60 to 70. With a second
-- buffer the kernel runs from 30 to 50, and all ends at 60.
INSERT INTO allocation (address, size) VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000), (62000000, 1000000);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 30, 0, 0, 10, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 30, 0, 0, 40, 50, 2000000, 52000000),
  ('kernel', NULL, 13, 31, 0, 0, 50, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 70, 80, 12000000, 61000000);
INSERT INTO launch (call, reads, writes) VALUES (2, 51000000, 61000000), (5, 52000000, 61000000);
