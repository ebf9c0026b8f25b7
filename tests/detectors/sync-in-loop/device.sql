-- The host waits for the whole device between two kernels, and nothing came back that it could read. The
-- compute engine runs one at a time: the second kernel could start at 30 ms instead of 33.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 42, 1, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 14, 41, 33, 33, 33, 63, NULL, NULL);
