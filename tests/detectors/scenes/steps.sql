-- Four steps of 40 ms, one after the other: a chunk, for which the host waits.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
INSERT INTO chunk
  SELECT 1, 1, 13, 30, 40 * n, 40 * n, 40 * n + 10, 40 * n + 30 FROM number WHERE n < 4;
UPDATE rounds SET times = 4, ms = 40;
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 0, 40);
