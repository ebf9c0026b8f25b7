-- Five steps of 21 ms: a copy in, an event behind it, and another stream that waits for the event.
INSERT INTO operation
  SELECT 'h2d', 'pinned', 23, 70, 21 * n, 21 * n, 21 * n, 21 * n + 10, (1 + n) * 1000000,
  (61 + n) * 1000000 FROM number WHERE n < 5;
UPDATE rounds SET times = 5, ms = 21;
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 400, 71, 0, 0),
  ('cudaStreamWaitEvent', 24, 400, 72, 0, 0);
