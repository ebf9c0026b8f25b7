-- Two windows, a second apart, of the same work: in each the wait of 39 ms holds back the copy of 10 ms
-- behind it, which saves 10 of 50 ms. The window of 60 ms ends 10 ms later. Both together: 20 ms, and what
-- the first one saves does not move the second.
INSERT INTO windows (id, start_ns, end_ns, cause) VALUES
  (1, 1000000000, 1060000000, 'call'), (2, 2000000000, 2060000000, 'call');
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 40, 40, 40, 40, 50, 2000000, 52000000);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 1000, 1000, 1010, 1030);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1001, 1040);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 40, 1040, 1040, 1040, 1050, 2000000, 52000000);
