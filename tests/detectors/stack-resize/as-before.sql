-- Near-miss: the first kernel takes as much local memory, and the launch of line 63 waits for something else.
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 61, 0,  0,  0, 10, NULL, NULL),
  ('kernel', NULL, 14, 62, 0,  0,  10, 30, NULL, NULL),
  ('kernel', NULL, 13, 63, 1, 32, 32, 42, NULL, NULL),
  ('h2d', 'pinned', 23, 64, 32, 32, 32, 72, 1000000, 51000000),
  ('kernel', NULL, 23, 65, 32, 32, 72, 82, NULL, NULL);
UPDATE operations SET local_bytes_per_thread = 4096 WHERE id IN (1, 3);
INSERT INTO strings SELECT 10 + id, '_Z5frame' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id WHERE kind = 1;
-- Found:
wall 82 ms, overlapped 10 ms, lost 0 (0 to 0) ms, replayed 82 ms
