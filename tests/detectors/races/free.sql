-- cudaFree() waits for the kernel that uses the memory: only its own wait orders them.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 23, 31, 0, 0, 10, 20, NULL, NULL);
INSERT INTO launch VALUES (2, 51000000, 61000000);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 40, 2, 21);
UPDATE calls SET dst = 51000000 WHERE site_id = 40;
-- Found:
by luck, 1 times: cudaMemcpyAsync at app.cu:30 writes, cudaFree at app.cu:40 releases, -8 ms apart, by the wait in cudaFree at app.cu:40
by luck, 1 times: __cudaLaunchKernel at app.cu:31 reads, cudaFree at app.cu:40 releases, -18 ms apart, by the wait in cudaFree at app.cu:40
