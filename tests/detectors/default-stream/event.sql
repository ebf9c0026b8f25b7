-- Near-miss: an event recorded in the default stream stands behind the kernel of the blocking stream
-- (device: 0 to 20 ms). The copy that waits for it was held by that one, not by what was before it
-- in its own stream (0 to 10 ms): nothing was lost.
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 20, 0, 0, 0, 20, NULL, NULL),
  ('d2h', 'pinned', 23, 21, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO event_wait VALUES (7, 22, 1, 23, 23, 2);
INSERT INTO operation VALUES ('h2d', 'pinned', 23, 24, 3, 3, 20, 40, 1000000, 51000000);
-- Found:
wall 40 ms, overlapped 10 ms, lost 0 (0 to 0) ms, replayed 40 ms
