-- Three steps of 50 ms: a kernel writes a field, cudaMemcpy() fetches it and sends it back, a kernel reads it.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
UPDATE rounds SET times = 3, ms = 50;
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 31, 0, 0, 0, 20, NULL, NULL),
  ('d2h', 'pinned', 7, 32, 0, 30, 20, 30, 11000000, 61000000),
  ('h2d', 'pinned', 7, 33, 30, 40, 30, 40, 11000000, 61000000);
INSERT INTO made_by VALUES (32, 'cudaMemcpy'), (33, 'cudaMemcpy');
INSERT INTO operation VALUES ('kernel', NULL, 7, 34, 40, 40, 40, 50, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 35, 40, 50);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
INSERT INTO launch SELECT id, 61000000, 51000000 FROM calls WHERE site_id = 34;
