-- A cudaMemcpy has brought the result before the kernel was launched that the synchronize waits for: the host
-- has had it since, and needs no wait. Without it the copy in follows the kernel at once: 11 ms earlier.
INSERT INTO operation VALUES
  ('d2h', 'pinned', 7, 40, 0, 10, 0, 10, 11000000, 61000000),
  ('kernel', NULL,  13, 41, 10, 10, 10, 30, NULL, NULL);
INSERT INTO made_by VALUES (40, 'cudaMemcpy');
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 11, 31);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 43, 41, 41, 41, 51, 1000000, 51000000);
-- Found:
wall 51 ms, overlapped 0 ms, lost 30 (20 to 30) ms, replayed 51 ms
sync-in-loop app.cu:42, 1 times, blocked 19 ms, lost 11 (11 to 11) ms
  at 11 ms for 19 ms: call 3 operation 3 cause 2, other streams 19 ms
blocking-copy app.cu:40, 1 times, blocked 10 ms, lost 10 (0 to 10) ms
  at 0 ms for 10 ms: call 1 operation 2 cause 1, copy 10 ms
serial-stream app.cu:43, 1 times, blocked 9 ms, lost 9 (9 to 9) ms, with the others fixed
  at 11 ms for 9 ms: operation 3 cause 2
