-- Near-miss: two copies of one size: in whichever order they come, one of them waits.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 20000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 20, 0, 0, 0, 10, 10000000, 61000000),
  ('h2d', 'pinned', 24, 21, 0.25, 0.25, 10, 20, 1000000, 51000000),
  ('kernel', NULL, 24, 24, 0.5, 0.5, 20, 40, NULL, NULL);
INSERT INTO launch VALUES (3, 51000000, 51000000);
-- Found:
wall 40 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 40 ms
