-- The chunks of one-result.sql, but before the second one is enqueued, at 1 ms, the results'
-- memory is given back in the stream's order, and new memory has its place: with streams it would be
-- other memory, so that nothing waits for the first copy back. 60 ms, in the low end, too.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (61000000, 1000000);
INSERT INTO chunk VALUES (1, 1, 13, 30, 0, 0, 10, 30);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 1, 1, 40, 50, 2000000, 52000000),
  ('kernel', NULL, 13, 31, 1, 1, 50, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 1, 1, 70, 80, 12000000, 61000000);
INSERT INTO launch VALUES (2, 51000000, 61000000), (5, 52000000, 61000000);
INSERT INTO allocations (time_ns, is_release, memory_kind, address, size_bytes)
VALUES (1000500000, 1, 3, 61000000, 1000000), (1000500000, 0, 3, 61000000, 1000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 80 ms
serial-stream app.cu:30, 1 times, blocked 30 ms, lost 20 (20 to 20) ms
  at 10 ms for 30 ms: operation 4 cause 3
