-- Four steps of 50 ms: what is copied in is overwritten before or after a kernel.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
UPDATE rounds SET times = 4, ms = 50;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('kernel', NULL, 13, 31, 0, 0, 10, 30, NULL, NULL),
  ('h2d', 'pinned', 13, 32, 0, 0, 30, 40, 2000000, 51000000),
  ('kernel', NULL, 13, 33, 0, 0, 40, 50, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 34, 0, 50);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 33;
UPDATE calls SET numbers = 2147483648 + id WHERE site_id IN (30, 32);
