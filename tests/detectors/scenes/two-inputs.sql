-- Twelve steps of 40 ms: a chunk, for which the host waits, with two inputs in turn.
INSERT INTO allocation VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000), (62000000, 1000000);
INSERT INTO chunk
  SELECT 1 + n % 2, 1 + n % 2, 13, 30, 40 * n, 40 * n, 40 * n + 10, 40 * n + 30
  FROM number WHERE n < 12;
UPDATE rounds SET times = 12, ms = 40;
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 0, 40);
INSERT INTO launch
  SELECT id, 51000000 + id / 3 % 2 * 1000000, 61000000 + id / 3 % 2 * 1000000
  FROM calls WHERE site_id = 31;
