-- Near-miss: the host waits for a stream of which the trace knows nothing: not for the kernel then.
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 52, 0, 0, 0, 10, 11000000, 61000000),
  ('kernel', NULL,  14, 51, 0, 0, 0, 40, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 99, NULL, 53, 1, 40);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000);
-- Found:
wall 53 ms, overlapped 10 ms, lost 0 (0 to 0) ms, replayed 53 ms
not seen: sync-in-loop: 1 39
