-- cudaMemcpy into the device, pinned, in the default stream: it waits for the kernel of a blocking
-- stream (until 30 ms), and the host for it (until 40). The kernel that follows in the other stream
-- could have its copy beside the first kernel: from 1 to 11, and itself run from 30 to 50.
-- Should the host touch the source at once it has to wait for its copy (until 11): the kernel is no
-- later for that.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 61,  0,  0,  0, 30, NULL, NULL),
  ('h2d', 'pinned',  7, 62,  1, 40, 30, 40, 1000000, 51000000),
  ('kernel', NULL,  14, 61, 40, 40, 40, 60, NULL, NULL);
INSERT INTO made_by (line, function) VALUES (62, 'cudaMemcpy');
