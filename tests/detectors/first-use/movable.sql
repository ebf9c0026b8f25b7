-- The host reads the first result at 50, 10 ms after its wait and behind the next work: the wait can go
-- there. The second chunk is done by 60 as without any wait, and the calls behind the read, which
-- comes at 40 then, keep nothing waiting.
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (2, 2, 14, 40, 45, 45, 55, 75);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 14, 77, 45, 55, 55);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 56, 85);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 40, 1, 50, 90, 1000000), (7, 85, 0, NULL, NULL, 1000000);
