-- Three steps of 50 ms: a kernel writes a field, which is fetched, awaited, sent back, and read.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
UPDATE rounds SET times = 3, ms = 50;
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 31, 0, 0, 0, 20, NULL, NULL),
  ('d2h', 'pinned', 7, 32, 0, 0, 20, 30, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 7, NULL, 36, 0, 30);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 7, 33, 30, 30, 30, 40, 11000000, 61000000),
  ('kernel', NULL, 7, 34, 30, 30, 40, 50, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 7, NULL, 35, 30, 50);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
INSERT INTO launch SELECT id, 61000000, 51000000 FROM calls WHERE site_id = 34;
