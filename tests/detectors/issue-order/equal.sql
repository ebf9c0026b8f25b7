-- Near-miss: two copies of one size: in whichever order they come, one of them waits.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO allocation (address, size) VALUES (51000000, 1000000), (61000000, 20000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 23, 20, 0, 0, 0, 10, 10000000, 61000000),
  ('h2d', 'pinned', 24, 21, 0.25, 0.25, 10, 20, 1000000, 51000000);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 24, 24, 0.5, 0.5, 20, 40, NULL, NULL);
INSERT INTO launch (call, reads, writes) VALUES (3, 51000000, 51000000);
