-- cudaMemcpy into the device, pinned, in the default stream: it waits for the kernel of a blocking
-- stream (until 30 ms), and the host for it (until 40). The kernel that follows in the other stream
-- could have its copy beside the first kernel: from 1 to 11, and itself run from 30 to 50.
-- Should the host touch the source at once it has to wait for its copy (until 11): the kernel is no
-- later for that.
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 61,  0,  0,  0, 30, NULL, NULL),
  ('h2d', 'pinned',  7, 62,  1, 40, 30, 40, 1000000, 51000000),
  ('kernel', NULL,  14, 61, 40, 40, 40, 60, NULL, NULL);
INSERT INTO made_by VALUES (62, 'cudaMemcpy');
-- Found:
wall 60 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 60 ms
blocking-copy app.cu:62, 1 times, blocked 39 ms, lost 10 (10 to 10) ms
  at 1 ms for 39 ms: call 2 operation 3 cause 2, other streams 29 ms, copy 10 ms
