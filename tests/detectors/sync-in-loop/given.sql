-- A cudaMemcpy has brought the result before the kernel was launched that the synchronize waits for: the host
-- has had it since, and needs no wait. Without it the copy in follows the kernel at once: 11 ms earlier.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 7, 40, 0, 10, 0, 10, 11000000, 61000000),
  ('kernel', NULL,  13, 41, 10, 10, 10, 30, NULL, NULL);
INSERT INTO made_by VALUES (40, 'cudaMemcpy');
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 42, 11, 31);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 43, 41, 41, 41, 51, 1000000, 51000000);
