-- Near-miss: of two copies out the host can only have read the first, which was done at 10 ms; but the
-- second one is behind it in the same stream: cudaStreamSynchronize would wait as long.
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 52, 0, 0,  0, 10, 11000000, 61000000),
  ('d2h', 'pinned', 13, 52, 0, 0, 10, 40, 12000000, 62000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 53, 1, 40);
INSERT INTO operation VALUES ('h2d', 'pinned', 13, 50, 43, 43, 43, 53, 3000000, 51000000);
UPDATE operations SET size_bytes = 2000000000 WHERE end_ns = 1040000000;
-- Found:
wall 53 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 53 ms
not seen: sync-in-loop: 1 39
