-- Near-miss: the host waits for each chunk and then works for 5 ms before it enqueues the next: time
-- enough to read the 1 MB that came back. The wait counts as needed, and the report says so.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (2, 2, 14, 40, 45, 45, 55, 75);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 46, 85);
