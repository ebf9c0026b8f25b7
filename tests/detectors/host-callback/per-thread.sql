-- As host-callback, all in the thread's own default stream (handle 0, number 23): 70 ms. Another thread's own
-- one (24) is not held, and works meanwhile, though it came first.
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 90, 0, 0, 10, 12, 15000000, 65000000);
UPDATE calls SET thread_id = 101;
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call VALUES ('cudaLaunchHostFunc', 23, NULL, 81, 0, 0);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  23, 83, 0, 0, 50, 70, NULL, NULL);
UPDATE calls SET stream_handle = 0, per_thread_stream = 1;
INSERT INTO host_function VALUES (81, 10, 40);
-- Found:
wall 70 ms, overlapped 0 ms, lost 30 (0 to 30) ms, replayed 70 ms
host-callback app.cu:81, 1 times, blocked 30 ms, lost 30 (0 to 30) ms
  at 10 ms for 30 ms: operation 3 cause 1
