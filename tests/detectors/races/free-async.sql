-- cudaFreeAsync() in stream 24 gives the memory back that stream 23 uses (line 40): possible. In stream 23 itself (line 41, of
-- other memory) it is in order.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 23, 31, 0, 0, 10, 20, NULL, NULL),
  ('h2d', 'pinned', 24, 32, 0, 0, 10, 12, 2000000, 52000000);
INSERT INTO launch VALUES (2, 51000000, 61000000);
INSERT INTO call VALUES ('cudaFreeAsync', 24, NULL, 40, 2, 2), ('cudaFreeAsync', 23, NULL, 41, 2, 2);
UPDATE calls SET dst = 51000000 WHERE site_id = 40;
UPDATE calls SET dst = 61000000 WHERE site_id = 41;
-- Found:
possible, 1 times: cudaMemcpyAsync at app.cu:30 writes, cudaFreeAsync at app.cu:40 releases, -8 ms apart
possible, 1 times: __cudaLaunchKernel at app.cu:31 reads, cudaFreeAsync at app.cu:40 releases, -18 ms apart
