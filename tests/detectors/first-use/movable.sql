-- The host reads the first result at 50, 10 ms after its wait and behind the next work: the wait can go
-- there. The second chunk is done by 60 as without any wait, and the calls behind the read, which
-- comes at 40 then, keep nothing waiting.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 40, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 41, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 42, 0, 0, 30, 40, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 40, 45, 45, 45, 55, 2000000, 52000000),
  ('kernel', NULL,  14, 41, 45, 45, 55, 75, NULL, NULL),
  ('d2h', 'pinned', 14, 42, 45, 45, 75, 85, 12000000, 62000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 14, 77, 45, 55, 55);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', 7, NULL, 44, 56, 85);
INSERT INTO first_use (call, wait, kind, touch, line, bytes) VALUES
  (3, 40, 1, 50, 90, 1000000), (7, 85, 0, NULL, NULL, 1000000);
