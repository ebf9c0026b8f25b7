-- Two windows, a second apart: the wait of 39 ms in the first held back what came in the window, the
-- chunk of 10 ms behind it. The second window's wait lasts beyond its end, to where nothing is known.
INSERT INTO windows (id, start_ns, end_ns, cause) VALUES
  (1, 1000000000, 1060000000, 'call'), (2, 2000000000, 2040000000, 'call');
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 40, 40, 40, 40, 50, 2000000, 52000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 41, 1000, 1000, 1000, 1060, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1001, 1060);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 40, 1060, 1060, 1060, 1070, 2000000, 52000000);
