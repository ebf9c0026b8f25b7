-- Near-miss: the releases wait for kernels, of which the host reads nothing. The line is free-sync's, with
-- the same fix; nothing is counted twice.
UPDATE rounds SET times = 5, ms = 20;
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 2);
INSERT INTO operation VALUES ('kernel', NULL, 13, 73, 2, 2, 2, 15, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 3, 19);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
-- Found:
wall 99 ms, overlapped 0 ms, lost 28 (28 to 28) ms, replayed 99 ms
free-sync app.cu:74, 4 times, blocked 48 ms, lost 28 (28 to 28) ms
  at 3 ms for 12 ms: call 3 operation 2 cause 1, other streams 12 ms
  at 23 ms for 12 ms: call 6 operation 3 cause 2, other streams 12 ms
  at 43 ms for 12 ms: call 9 operation 4 cause 3, other streams 12 ms
