-- Near-miss: the host waits for a blocking stream, and so for the copy out in the legacy default stream
-- before it, which it reads for 3 ms. The result is there at 10 ms, the kernel done at 40, but the host
-- named the kernel's stream alone: the wait is not for more than one stream.
INSERT INTO operation VALUES
  ('d2h', 'pinned',  7, 52, 0, 0,  0, 10, 11000000, 61000000),
  ('kernel', NULL,  13, 51, 0, 0, 10, 40, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 53, 1, 40);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000),
  ('kernel', NULL,  13, 51, 43, 43, 53, 63, NULL, NULL);
-- Found:
wall 63 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 63 ms
default-stream app.cu:52, 1 times, blocked 10 ms, lost 10 (10 to 10) ms
  at 0 ms for 10 ms: operation 2 cause 1
not seen: sync-in-loop: 1 39
