-- Five rounds, 20 ms each, with memory of a pool, which takes long to get memory.
UPDATE rounds SET times = 5, ms = 20;
INSERT INTO call VALUES ('cudaMallocAsync', 23, NULL, 70, 0, 4);
INSERT INTO operation VALUES
  ('kernel', NULL, 23, 71, 4, 5, 5, 10, NULL, NULL),
  ('d2h', 'pinned', 23, 72, 5, 5, 10, 12, 11000000, 61000000);
INSERT INTO call VALUES
  ('cudaFreeAsync', 23, NULL, 73, 5, 6),
  ('cudaStreamSynchronize', 23, NULL, 74, 6, 17);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 73);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
UPDATE calls SET correlation_id = 1000 + id WHERE site_id = 74;
