-- A copy of 20 MB (20 ms, stream 23) is issued, and a quarter of a millisecond later one of 1 MB (1 ms,
-- stream 24), which a kernel of 20 ms needs: the small copy comes at 20 ms, the run takes 41. With the small
-- copy first it runs from 0.25 to 1.25, and the large one and the kernel beside each other: 21.25 ms.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 20000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 23, 20, 0, 0, 0, 20, 10000000, 61000000),
  ('h2d', 'pinned', 24, 21, 0.25, 0.25, 20, 21, 1000000, 51000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 24, 24, 0.5, 0.5, 21, 41, NULL, NULL);
INSERT INTO launch (call, reads, writes) VALUES (3, 51000000, 51000000);
UPDATE operations SET size_bytes = 20000000 WHERE start_ns = 1000000000;
UPDATE calls SET size_bytes = 20000000 WHERE site_id = 20;
