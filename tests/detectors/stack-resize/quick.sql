-- Near-miss: the first kernel with local memory, beside another: there is room, the launch waits for nothing.
-- A later one that grows finds the GPU idle.
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 61, 0,  0,  0, 10, NULL, NULL),
  ('kernel', NULL, 13, 63, 1,  1, 10, 20, NULL, NULL),
  ('kernel', NULL, 13, 63, 30, 32, 32, 42, NULL, NULL);
UPDATE operations SET local_bytes_per_thread = 512 * id WHERE id > 1;
INSERT INTO strings SELECT 10 + id, '_Z5frame' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id WHERE kind = 1;
-- Found:
wall 42 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 42 ms
