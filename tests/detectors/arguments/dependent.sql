-- Near-miss: the first kernel reads what was copied in last, the second one what the first wrote, and
-- that alone is copied back. The copies in share their engine: nothing could have begun earlier.
INSERT INTO allocation (address, size) VALUES
  (51000000, 1000000), (52000000, 1000000), (61000000, 1000000), (62000000, 1000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 10, 20, 2000000, 52000000),
  ('kernel', NULL,  13, 31, 0, 0, 20, 40, NULL, NULL),
  ('kernel', NULL,  13, 31, 0, 0, 40, 60, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 60, 70, 12000000, 62000000);
INSERT INTO launch (call, reads, writes) VALUES (3, 52000000, 61000000), (4, 61000000, 62000000);
