-- Near-miss: as own-stream.sql, but the host waits for an event behind the kernel.
INSERT INTO operation VALUES
  ('d2h', 'pinned',  7, 52, 0, 0,  0, 10, 11000000, 61000000),
  ('kernel', NULL,  13, 51, 0, 0, 10, 40, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 13, 77, 54, 0, 0),
  ('cudaEventSynchronize', NULL, 77, 53, 1, 40);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 43, 43, 53, 63, NULL, NULL);
-- Found:
wall 63 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 63 ms
default-stream app.cu:52, 1 times, blocked 10 ms, lost 10 (10 to 10) ms
  at 0 ms for 10 ms: operation 2 cause 1
not seen: sync-in-loop: 1 39
