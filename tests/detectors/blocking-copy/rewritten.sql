-- Near-miss: the host has 5 ms to write the buffer anew before the next cudaMemcpy() from it.
INSERT INTO functions VALUES (7, 'cudaMemcpy', 'copy');
INSERT INTO operation VALUES
  ('h2d', 'pinned',  7, 62,  0, 10,  0, 10, 1000000, 51000000),
  ('kernel', NULL,   7, 61, 15, 15, 15, 35, NULL, NULL),
  ('h2d', 'pinned',  7, 62, 15, 45, 35, 45, 1000000, 51000000);
UPDATE operations SET is_async = 0 WHERE copy_kind = 1;
UPDATE calls SET function_id = 7, stream_handle = NULL WHERE site_id = 62;
