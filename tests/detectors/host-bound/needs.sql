-- As prepares.sql, with a copy back in place of the kernel: the host may prepare each batch from it.
UPDATE rounds SET times = 5, ms = 6;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 40, 0, 0, 0, 1, 1000000, 50000000),
  ('d2h', 'pinned', 13, 41, 0, 0, 1, 3, 9000000, 50000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 42, 0, 3);
-- Found:
wall 27 ms, overlapped 0 ms, lost 3 (3 to 3) ms, replayed 27 ms
sync-in-loop app.cu:42, 1 times, blocked 3 ms, lost 3 (3 to 3) ms
  at 0 ms for 3 ms: call 3 operation 3 cause 2, stream 3 ms
not seen: sync-in-loop: 3 9
not seen: host-bound: 4 12
