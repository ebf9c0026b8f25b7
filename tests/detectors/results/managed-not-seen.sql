-- Near-miss: the program has managed memory, and the trace does not say what the kernel writes.
INSERT INTO functions (id, name, class) VALUES (20, 'cudaMallocManaged', 'alloc');
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaMallocManaged', NULL, NULL, 5, 0, 0);
UPDATE calls SET dst = 31000000, size_bytes = 1000000 WHERE site_id = 5;
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 1, 1, 1, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaDeviceSynchronize', NULL, NULL, 42, 2, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 43, 40, 40, 40, 60, 1000000, 51000000);
