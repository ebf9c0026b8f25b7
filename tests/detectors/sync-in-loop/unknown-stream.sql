-- Near-miss: the host waits for a stream of which the trace knows nothing: not for the kernel then.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 13, 52, 0, 0, 0, 10, 11000000, 61000000),
  ('kernel', NULL,  14, 51, 0, 0, 0, 40, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 99, NULL, 53, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000);
