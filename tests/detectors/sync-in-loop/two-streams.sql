-- Near-miss: a result is still being copied in one stream while the host waits for another: only the wait
-- for its own stream lets the host read it, in the 10 ms before the next copy. Both waits count as
-- needed: the host has those 10 ms after the first one, too.
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 40, 0, 0, 0, 30, 11000000, 61000000),
  ('kernel', NULL,  14, 41, 0, 0, 0, 10, NULL, NULL);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 14, NULL, 42, 1, 10),
  ('cudaStreamSynchronize', 13, NULL, 43, 11, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 44, 40, 40, 40, 50, 1000000, 51000000);
-- Found:
wall 50 ms, overlapped 10 ms, lost 0 (0 to 0) ms, replayed 50 ms
not seen: sync-in-loop: 2 28
