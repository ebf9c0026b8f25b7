-- 1500 kernels of 0.1 ms in stream 23, launched at once as far as the queue takes them, 1000: from then on each
-- launch returns when one more is done, the last one at 50 ms. Only then a copy of 120 ms is enqueued in stream 24:
-- 170 ms. Enqueued at 0 it had ended before the kernels, at 150.
WITH RECURSIVE launches(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM launches WHERE i < 1499)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 20, max(0, i - 1000) * 0.1, max(0, i - 999) * 0.1, i * 0.1, (i + 1) * 0.1, NULL, NULL
  FROM launches;
INSERT INTO operation VALUES ('h2d', 'pinned', 24, 21, 50, 50, 50, 170, 1000000, 51000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 22, 50, 170);
-- Found:
wall 170 ms, overlapped 100 ms, lost 20 (20 to 20) ms, replayed 170 ms
queue-full app.cu:20, 499 times, blocked 49.9 ms, lost 20 (20 to 20) ms
  at 0.1 ms for 0.1 ms: call 1002 operation 502 cause 2, queue 0.1 ms
  at 0.2 ms for 0.1 ms: call 1003 operation 502 cause 3, queue 0.1 ms
  at 0.3 ms for 0.1 ms: call 1004 operation 502 cause 4, queue 0.1 ms
