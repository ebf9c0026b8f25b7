-- As wide-sync, with a host that is seen to read what stream 13 brought by 40, 1 ms after its wait, and
-- never what stream 14 brought by 60: the low end narrows the wait, too.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 50, 0, 0, 10, 30),
  (2, 2, 14, 50, 0, 10, 30, 50);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 60);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (3, 1, 13, 50, 63, 63, 73, 93),
  (4, 2, 14, 50, 63, 73, 93, 113);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 54, 64, 123);
INSERT INTO copies (size) VALUES (1000000000);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 60, 1, 61, 90, 1000000000), (6, 60, 0, NULL, NULL, 1000000000);
