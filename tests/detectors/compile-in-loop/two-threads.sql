-- Five steps of 10 ms: thread 200 compiles in line 43 for all of a step, and copies for 1 ms then. A new thread launches a
-- kernel of 3 ms behind each copy's call, and records an event at 4 ms. The GPU is idle from 3 ms on; from 4 ms on it is for
-- what thread 200 does since its own call before: 4 x 6 ms. Without that the kernels follow each other,
-- for 15 ms; the last millisecond of the 44 stays.
UPDATE rounds SET times = 5, ms = 10;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 40, 0, 0, 0, 1, 1000000, 50000000),
  ('kernel', NULL, 14, 41, 0, 0, 0, 3, NULL, NULL);
INSERT INTO call VALUES ('cudaEventRecord', 14, 900, 42, 4, 4);
UPDATE calls SET thread_id = CASE site_id WHEN 40 THEN 200 ELSE 300 + start_ns / 10000000 END;
INSERT INTO stack VALUES (104, 0, NULL, NULL, 'nvrtcCompileProgram', '/usr/local/cuda/lib64/libnvrtc.so.12'),
  (104, 1, '/home/u/app.cu', 43, 'main', '/home/u/app');
UPDATE rounds SET times = 4;
INSERT INTO host_state VALUES (200, 'running', 104, 0, 10, 0, 0, NULL);
-- Found:
wall 44 ms, overlapped 5 ms, lost 28 (28 to 28) ms, replayed 44 ms
compile-in-loop /home/u/app.cu:43, 4 times, blocked 24 ms, lost 28 (28 to 28) ms
  at 4 ms for 6 ms: call 4 operation 3
  at 14 ms for 6 ms: call 7 operation 5
  at 24 ms for 6 ms: call 10 operation 7
