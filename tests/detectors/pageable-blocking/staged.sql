-- Near-miss: cudaMemcpy has staged its pageable source after 1 ms, and the copy goes on until 10. From
-- pinned memory the call would wait for all of it.
INSERT INTO operation VALUES
  ('h2d', 'pageable', 7, 10, 0, 1,  0, 10, 1000000, 51000000),
  ('kernel', NULL,    7, 11, 1, 1, 10, 30, NULL, NULL);
INSERT INTO made_by VALUES (10, 'cudaMemcpy');
-- Found:
wall 30 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 30 ms
