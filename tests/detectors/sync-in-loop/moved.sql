-- The first wait (until 40 ms) holds a copy back that could run from 1 to 11. The second one, of the
-- device, found the kernel done; without the first it would have to wait for it: until 40. The host
-- reads for 5 ms, and the last copy runs from 45 to 55 instead of 55 to 65.
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 40, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation VALUES ('d2h', 'pinned', 14, 42, 40, 40, 40, 50, 11000000, 61000000);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 44, 41, 50);
INSERT INTO operation VALUES ('h2d', 'pinned', 23, 45, 55, 55, 55, 65, 1000000, 51000000);
-- Found:
wall 65 ms, overlapped 0 ms, lost 10 (10 to 10) ms, replayed 65 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 10 (10 to 10) ms
  at 1 ms for 39 ms: call 2 operation 2 cause 1, stream 39 ms
not seen: sync-in-loop: 1 9
