-- A copy of pageable memory waits for its stream, and so for the copy of line 30; the kernel in the other stream, which reads
-- what line 30 copied, is enqueued only then.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('h2d', 'pageable', 23, 31, 0, 20, 10, 20, 2000000, 52000000),
  ('kernel', NULL, 24, 32, 21, 21, 22, 30, NULL, NULL);
INSERT INTO launch VALUES (3, 51000000, 61000000);
-- Found:
by luck, 1 times: cudaMemcpyAsync at app.cu:30 writes, __cudaLaunchKernel at app.cu:32 reads, 12 ms apart, by the wait in cudaMemcpyAsync at app.cu:31
1 times: cudaMemcpyAsync at app.cu:31 alone orders cudaMemcpyAsync at app.cu:30, which writes, before kernel copy at app.cu:32, which may read the same memory
