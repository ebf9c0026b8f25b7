-- The kernel of a blocking stream reads what a copy in the legacy default stream writes: only the barrier orders them.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 7, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 13, 31, 1, 1, 12, 20, NULL, NULL);
INSERT INTO launch VALUES (2, 51000000, 61000000);
-- Found:
by luck, 1 times: cudaMemcpyAsync at app.cu:30 writes, __cudaLaunchKernel at app.cu:31 reads, 2 ms apart
1 times: the barrier of the legacy default stream alone orders cudaMemcpyAsync at app.cu:30, which writes, before kernel copy at app.cu:31, which may read the same memory
