-- As copies.sql, but the copy's own call finds the queue full, too, and returns when one more kernel is done: at 50.1
-- ms. Enqueued at 0 it finds it empty: 150 instead of 170.1 ms.
WITH RECURSIVE launches(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM launches WHERE i < 1499)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 20, max(0, i - 1000) * 0.1, max(0, i - 999) * 0.1, i * 0.1, (i + 1) * 0.1, NULL, NULL
  FROM launches;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 24, 21, 50, 50.1, 50.1, 170.1, 1000000, 51000000);
INSERT INTO call (function, stream, line, enter, leave) VALUES ('cudaDeviceSynchronize', NULL, 22, 50.1, 170.1);
