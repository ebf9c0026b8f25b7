-- The host waits for each chunk before it enqueues the next, in another stream: 80 ms, while
-- 10 + 2 x 20 + 10 = 60 would do. The wait at the end costs nothing: no work follows it.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (2, 2, 14, 40, 40, 40, 50, 70);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 41, 80);
