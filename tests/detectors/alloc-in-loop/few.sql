-- Near-miss: as hot.sql, but called three times, which may be start-up.
UPDATE rounds SET times = 3, ms = 20;
INSERT INTO call VALUES ('cudaMalloc', NULL, NULL, 70, 0, 2);
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 72, 2, 2, 2, 12, NULL, NULL),
  ('d2h', 'pinned', 7, 73, 3, 15, 12, 15, 11000000, 61000000);
INSERT INTO made_by VALUES (73, 'cudaMemcpy');
INSERT INTO call VALUES ('cudaFree', NULL, NULL, 74, 15, 19);
UPDATE calls SET dst = 61000000 WHERE site_id IN (70, 74);
UPDATE calls SET size_bytes = 1000000 WHERE site_id = 70;
-- Found:
wall 59 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 59 ms
not seen: blocking-copy: 2 24
