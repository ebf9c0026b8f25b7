-- 1500 kernels of 0.1 ms in stream 23, launched at once as far as the queue takes them, 1000: from then on each
-- launch returns when one more is done, the last one at 50 ms. Only then a copy of 120 ms is enqueued in stream 24:
-- 170 ms. Enqueued at 0 it had ended before the kernels, at 150.
WITH RECURSIVE launches(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM launches WHERE i < 1499)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 20, max(0, i - 1000) * 0.1, max(0, i - 999) * 0.1, i * 0.1, (i + 1) * 0.1, NULL, NULL
  FROM launches;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 24, 21, 50, 50, 50, 170, 1000000, 51000000);
INSERT INTO call (function, stream, line, enter, leave) VALUES ('cudaDeviceSynchronize', NULL, 22, 50, 170);
