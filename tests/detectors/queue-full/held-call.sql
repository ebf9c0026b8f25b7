-- The same, and the call of the copy is the last that waits for the queue, until 50.1 ms: 170.1 ms. Issued first
-- it does not wait either: 150 ms.
WITH RECURSIVE launches(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM launches WHERE i < 1499)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 20, max(0, i - 1000) * 0.1, max(0, i - 999) * 0.1, i * 0.1, (i + 1) * 0.1, NULL, NULL
  FROM launches;
INSERT INTO operation VALUES ('h2d', 'pinned', 24, 21, 50, 50.1, 50.1, 170.1, 1000000, 51000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 22, 50.1, 170.1);
-- Found:
wall 170.1 ms, overlapped 99.9 ms, lost 20.1 (20.1 to 20.1) ms, replayed 170.1 ms
queue-full app.cu:20, 499 times, blocked 49.9 ms, lost 20.1 (20.1 to 20.1) ms
  at 0.1 ms for 0.1 ms: call 1002 operation 503 cause 2, queue 0.1 ms
  at 0.2 ms for 0.1 ms: call 1003 operation 503 cause 3, queue 0.1 ms
  at 0.3 ms for 0.1 ms: call 1004 operation 503 cause 4, queue 0.1 ms
