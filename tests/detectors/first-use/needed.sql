-- Near-miss: the host reads the result 2 ms after the wait, and only then enqueues the next work. Nothing
-- is in doubt, so nothing is said.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (2, 2, 14, 40, 45, 45, 55, 75);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 46, 85);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 40, 1, 42, 90, 1000000), (7, 85, 0, NULL, NULL, 1000000);
