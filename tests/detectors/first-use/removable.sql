-- As sync-in-loop-read, where the host had the time to read what it waited for, and here it is seen
-- that it did not, before the wait at the end: both ends of the interval drop the wait. The second
-- chunk is enqueued 5 ms after the first, whose copy in ends at 10: kernels run 10 to 30 to 50, the
-- copy out ends at 60, 25 ms before.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (2, 2, 14, 40, 45, 45, 55, 75);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 46, 85);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 40, 0, NULL, NULL, 1000000), (7, 85, 0, NULL, NULL, 1000000);
