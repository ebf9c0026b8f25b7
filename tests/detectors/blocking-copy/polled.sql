-- Near-miss: 4 bytes come back each time, and decide what is next: 1 us is enough to read them.
INSERT INTO functions VALUES (7, 'cudaMemcpy', 'copy');
INSERT INTO operation VALUES
  ('kernel', NULL,  7, 61,  0,     0,  0, 29, NULL, NULL),
  ('d2h', 'pinned', 7, 62,  0,    30, 29, 30, 11000000, 61000000),
  ('kernel', NULL,  7, 61, 30.001, 30.001, 30.001, 60, NULL, NULL),
  ('d2h', 'pinned', 7, 62, 30.001, 61, 60, 61, 11000000, 61000000);
UPDATE operations SET is_async = 0, size_bytes = 4 WHERE copy_kind = 2;
UPDATE calls SET function_id = 7, stream_handle = NULL, size_bytes = 4 WHERE site_id = 62;
