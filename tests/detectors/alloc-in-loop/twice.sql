-- Memory that is freed twice is one spare: the third allocation takes it, and the fourth finds none. So there are
-- two pairs, which is start-up.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaMallocHost', 'host-alloc'), (21, 'cudaFreeHost', 'host-free');
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaMalloc', NULL, NULL, 70, 0, 2),
  ('cudaFree', NULL, NULL, 74, 2, 4),
  ('cudaFree', NULL, NULL, 74, 4, 6),
  ('cudaMalloc', NULL, NULL, 70, 6, 8),
  ('cudaFree', NULL, NULL, 74, 8, 10),
  ('cudaFree', NULL, NULL, 74, 10, 12),
  ('cudaMalloc', NULL, NULL, 70, 12, 14),
  ('cudaMalloc', NULL, NULL, 70, 14, 16);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 7, 72, 16, 16, 16, 26, NULL, NULL);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
UPDATE calls SET dst = 62000000 WHERE id = (SELECT max(id) FROM calls WHERE site_id = 70);
