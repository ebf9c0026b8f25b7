-- As wide-sync, with a host that is seen to read what stream 13 brought by 40, 1 ms after its wait, and
-- never what stream 14 brought by 60: the low end narrows the wait, too.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 50, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 51, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 52, 0, 0, 30, 40, 11000000, 61000000),
  ('h2d', 'pinned', 14, 50, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,  14, 51, 0, 0, 30, 50, NULL, NULL),
  ('d2h', 'pinned', 14, 52, 0, 0, 50, 60, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 60);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 50, 63, 63,  63,  73, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 63, 63,  73,  93, NULL, NULL),
  ('d2h', 'pinned', 13, 52, 63, 63,  93, 103, 13000000, 61000000),
  ('h2d', 'pinned', 14, 50, 63, 63,  73,  83, 4000000, 52000000),
  ('kernel', NULL,  14, 51, 63, 63,  93, 113, NULL, NULL),
  ('d2h', 'pinned', 14, 52, 63, 63, 113, 123, 14000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 54, 64, 123);
INSERT INTO copies (size) VALUES (1000000000);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 60, 1, 61, 90, 1000000000), (6, 60, 0, NULL, NULL, 1000000000);
