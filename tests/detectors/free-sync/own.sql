-- What the calls take by themselves: cudaMalloc 10 ms each, the second cudaFree 4 ms and the third 1 ms
-- though they wait for nothing; the first waits 1 ms. With the first buffer kept, and freed at the end,
-- the kernels run from 10 to 16 ms; the host has 1 + 2 + 2 ms of its own between the calls and 1 in the
-- last cudaFree, so that the D2H copy runs from 16 to 26. The saving is 2 * 10 + 4 + 1 = 25 ms.
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 10);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 10, 10, 10, 12, NULL, NULL);
INSERT INTO call VALUES
  ('cudaFree', NULL, NULL, 74, 11, 12),
  ('cudaMalloc', NULL, NULL, 70, 12, 22);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 22, 22, 22, 24, NULL, NULL);
INSERT INTO call VALUES
  ('cudaFree', NULL, NULL, 74, 24, 28),
  ('cudaMalloc', NULL, NULL, 70, 28, 38);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 38, 38, 38, 40, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 40, 41);
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 73, 41, 41, 41, 51, 11000000, 62000000);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
-- Found:
wall 51 ms, overlapped 0 ms, lost 25 (0 to 25) ms, replayed 51 ms
free-sync app.cu:74, 1 times, blocked 1 ms, lost 25 (0 to 25) ms
  at 11 ms for 1 ms: call 3 operation 2 cause 1, other streams 1 ms
