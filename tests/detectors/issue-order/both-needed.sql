-- The same as prefetch.sql, but the kernel writes to the memory of the large copy, too, and waits for it: the
-- other order saves nothing.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 20000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 23, 20, 0, 0, 0, 20, 10000000, 61000000),
  ('h2d', 'pinned', 24, 21, 0.25, 0.25, 20, 21, 1000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 23, 1, 22, 0.5, 0.5), ('cudaStreamWaitEvent', 24, 1, 23, 0.5, 0.5);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 24, 24, 0.5, 0.5, 21, 41, NULL, NULL);
INSERT INTO launch (call, reads, writes) VALUES (5, 51000000, 61000000);
UPDATE operations SET size_bytes = 20000000 WHERE start_ns = 1000000000;
UPDATE calls SET size_bytes = 20000000 WHERE site_id = 20;
