-- Near-miss: a synchronize in the middle, but everything was done already; and one at the end that
-- waits, with nothing to follow.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 43, 31, 32);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 33, 33, 33, 63, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 34, 63);
