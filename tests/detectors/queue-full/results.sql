-- Near-miss: the queue is as full, but the copy in the other stream brings back what the last kernel wrote, behind
-- an event: it could not have begun before. Nor is there another stream for the launches themselves.
INSERT INTO metadata VALUES ('event_waits', 'calls');
WITH RECURSIVE launches(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM launches WHERE i < 1499)
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device)
  SELECT 'kernel', NULL, 23, 20, max(0, i - 1000) * 0.1, max(0, i - 999) * 0.1, i * 0.1, (i + 1) * 0.1, NULL, NULL
  FROM launches;
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 1, 24, 50, 50),
  ('cudaStreamWaitEvent', 24, 1, 25, 50.25, 50.25);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 21, 51, 51, 150, 170, 11000000, 51000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 22, 51, 170);
-- Found:
wall 170 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 170 ms
