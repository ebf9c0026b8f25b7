-- Near-miss: as own.sql, but the cudaFree that waits for nothing has a line of its own (75): it stays,
-- and so does the cudaMalloc of its memory. Saved are the third cudaMalloc and the first cudaFree: 11 ms.
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 10);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 10, 10, 10, 12, NULL, NULL);
INSERT INTO call VALUES
  ('cudaFree', NULL, NULL, 74, 11, 12),
  ('cudaMalloc', NULL, NULL, 70, 12, 22);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 22, 22, 22, 24, NULL, NULL);
INSERT INTO call VALUES
  ('cudaFree', NULL, NULL, 75, 24, 28),
  ('cudaMalloc', NULL, NULL, 70, 28, 38);
INSERT INTO operation VALUES ('kernel', NULL, 13, 72, 38, 38, 38, 40, NULL, NULL);
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 40, 41);
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 73, 41, 41, 41, 51, 11000000, 62000000);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74, 75);
-- Found:
wall 51 ms, overlapped 0 ms, lost 11 (0 to 11) ms, replayed 51 ms
free-sync app.cu:74, 1 times, blocked 1 ms, lost 11 (0 to 11) ms
  at 11 ms for 1 ms: call 3 operation 2 cause 1, other streams 1 ms
