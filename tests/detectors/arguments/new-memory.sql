-- The chunks of one-result.sql, but before the second one is enqueued, at 1 ms, the results'
-- memory is given back in the stream's order, and new memory has its place: with streams it would be
-- other memory, so that nothing waits for the first copy back. 60 ms, in the low end, too.
INSERT INTO allocation (address, size) VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO chunk (host, device, stream, line, enter, copy_in, kernel, copy_out) VALUES
  (1, 1, 13, 30, 0, 0, 10, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 30, 1, 1, 40, 50, 2000000, 52000000),
  ('kernel', NULL, 13, 31, 1, 1, 50, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 1, 1, 70, 80, 12000000, 61000000);
INSERT INTO launch (call, reads, writes) VALUES (2, 51000000, 61000000), (5, 52000000, 61000000);
INSERT INTO allocations (time_ns, is_release, memory_kind, address, size_bytes)
VALUES (1000500000, 1, 3, 61000000, 1000000), (1000500000, 0, 3, 61000000, 1000000);
