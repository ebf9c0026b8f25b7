-- As host-callback, all in the thread's own default stream (handle 0, number 23): 70 ms. Another thread's own
-- one (24) is not held, and works meanwhile, though it came first.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 24, 90, 0, 0, 10, 12, 15000000, 65000000);
UPDATE calls SET thread_id = 101;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 23, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaLaunchHostFunc', 23, NULL, 81, 0, 0);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 23, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  23, 83, 0, 0, 50, 70, NULL, NULL);
UPDATE calls SET stream_handle = 0, per_thread_stream = 1;
INSERT INTO host_function (line, start, end) VALUES (81, 10, 40);
