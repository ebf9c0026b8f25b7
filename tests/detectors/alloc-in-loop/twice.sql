-- Memory that is freed twice is one spare: the third allocation takes it, and the fourth finds none. So there are
-- two pairs, which is start-up.
INSERT INTO call VALUES
  ('cudaMalloc', NULL, NULL, 70, 0, 2),
  ('cudaFree', NULL, NULL, 74, 2, 4),
  ('cudaFree', NULL, NULL, 74, 4, 6),
  ('cudaMalloc', NULL, NULL, 70, 6, 8),
  ('cudaFree', NULL, NULL, 74, 8, 10),
  ('cudaFree', NULL, NULL, 74, 10, 12),
  ('cudaMalloc', NULL, NULL, 70, 12, 14),
  ('cudaMalloc', NULL, NULL, 70, 14, 16);
INSERT INTO operation VALUES ('kernel', NULL, 7, 72, 16, 16, 16, 26, NULL, NULL);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
UPDATE calls SET dst = 62000000 WHERE id = (SELECT max(id) FROM calls WHERE site_id = 70);
-- Found:
wall 26 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 26 ms
