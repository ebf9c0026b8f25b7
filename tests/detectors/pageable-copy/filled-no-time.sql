-- As filled.sql, but before one copy of the line the host had 0.02 ms, in which no core copies 1 MB: 50 GB/s. The
-- array was pinned, and what the host did in the other gaps is its own work.
INSERT INTO python_frames (site_id, depth, file, line, function) VALUES
  (20, 0, '/usr/lib/python3/dist-packages/cupy/_creation/from_data.py', 94, 'asarray'),
  (20, 1, '/home/a/loop.py', 7, 'run');
UPDATE rounds SET times = 10, ms = 0.4;
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 20, 0.2, 0.2, 0.2, 0.4, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 21, 0.2, 0.4);
UPDATE calls SET start_ns = start_ns - 180000, end_ns = end_ns - 180000 WHERE site_id = 20 AND start_ns = 1001400000;
-- Found:
wall 3.8 ms, overlapped 0 ms, lost 1.8 (1.8 to 1.8) ms, replayed 3.8 ms
sync-in-loop app.cu:21, 9 times, blocked 1.8 ms, lost 1.8 (1.8 to 1.8) ms
  at 0 ms for 0.2 ms: call 2 operation 2 cause 1, stream 0.2 ms
  at 0.4 ms for 0.2 ms: call 4 operation 3 cause 2, stream 0.2 ms
  at 0.8 ms for 0.2 ms: call 6 operation 4 cause 3, stream 0.2 ms
host-bound app.cu:20, 8 times, blocked 1.6 ms, lost 1.6 (1.6 to 1.6) ms
  in the order of the list: 0 ms
  at 0.2 ms for 0.2 ms: call 3 operation 2
  at 0.6 ms for 0.2 ms: call 5 operation 3
  at 1.4 ms for 0.2 ms: call 9 operation 5
