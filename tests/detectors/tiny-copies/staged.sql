-- cudaMemcpy of twenty arrays of 1 MB from pageable memory, one after the other: each call lasts 10 ms while its bytes are
-- staged, and the copy ends 5 ms behind that. They are large, and one copy of all bytes would be staged, too.
INSERT INTO metadata VALUES
  ('pinned_h2d_bytes_per_s', '1000000000'), ('pinned_h2d_latency_ns', '0');
CREATE TEMP TABLE piece AS SELECT n k FROM number WHERE n < 20;
INSERT INTO operation
  SELECT 'h2d', 'pageable', 7, 40, k * 10, k * 10 + 10, k * 10 + 9, k * 10 + 15,
  (k + 1) * 1000000, (60 + k) * 1000000 FROM piece ORDER BY k;
INSERT INTO made_by VALUES (40, 'cudaMemcpy');
-- Found:
wall 205 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 205 ms
