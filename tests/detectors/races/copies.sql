-- Two copies into one buffer, in two streams, at the same time: 5 of 10 ms.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 24, 31, 0, 0, 5, 15, 2000000, 51000000),
  ('kernel', NULL, 23, 32, 0, 0, 15, 20, NULL, NULL);
INSERT INTO launch VALUES (3, 52000000, 61000000);
-- Found:
certain, 1 times: cudaMemcpyAsync at app.cu:30 writes, cudaMemcpyAsync at app.cu:31 writes, -5 ms apart
