-- A kernel writes pinned memory until 10 ms, and another one in a second stream the device's until 30. The
-- host waits for both; it can read the first one's result alone, and could have done so 20 ms earlier.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaHostAlloc', 'host-alloc');
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 1000000), (71000000, 1000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaHostAlloc', NULL, NULL, 5, 0, 0);
UPDATE calls SET dst = 31000000, size_bytes = 1000000 WHERE site_id = 5;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 10, NULL, NULL),
  ('kernel', NULL, 14, 41, 0, 0, 10, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 42, 1, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 43, 40, 40, 40, 60, 1000000, 71000000);
INSERT INTO launch (call, reads, writes) VALUES (2, 61000000, 31500000), (3, 51000000, 61000000);
