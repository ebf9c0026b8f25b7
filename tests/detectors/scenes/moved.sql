-- Six steps of 30 ms: cudaMemcpy() sends a field (10 ms), a kernel makes the next one of it in other device memory
-- (10 ms), and cudaMemcpy() fetches that (10 ms) to the host memory that the next step sends.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
UPDATE rounds SET times = 6, ms = 30;
INSERT INTO operation VALUES
  ('h2d', 'pinned', 7, 30, 0, 10, 0, 10, 11000000, 51000000),
  ('kernel', NULL, 7, 31, 10, 10, 10, 20, NULL, NULL),
  ('d2h', 'pinned', 7, 32, 10, 30, 20, 30, 11000000, 61000000);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
