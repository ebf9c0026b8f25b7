-- A kernel in another stream reads what a copy writes, and was enqueued before the copy had ended. A kernel that reads other
-- memory is no race.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 24, 31, 1, 1, 12, 20, NULL, NULL),
  ('kernel', NULL, 24, 32, 1, 1, 20, 30, NULL, NULL);
INSERT INTO launch VALUES (2, 51000000, 61000000), (3, 52000000, 61000000);
-- Found:
possible, 1 times: cudaMemcpyAsync at app.cu:30 writes, __cudaLaunchKernel at app.cu:31 reads, 2 ms apart
