-- A copy of 20 MB (20 ms, stream 23) is issued, and a quarter of a millisecond later one of 1 MB (1 ms,
-- stream 24), which a kernel of 20 ms needs: the small copy comes at 20 ms, the run takes 41. With the small
-- copy first it runs from 0.25 to 1.25, and the large one and the kernel beside each other: 21.25 ms.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 20000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 20, 0, 0, 0, 20, 10000000, 61000000),
  ('h2d', 'pinned', 24, 21, 0.25, 0.25, 20, 21, 1000000, 51000000),
  ('kernel', NULL, 24, 24, 0.5, 0.5, 21, 41, NULL, NULL);
INSERT INTO launch VALUES (3, 51000000, 51000000);
UPDATE operations SET size_bytes = 20000000 WHERE start_ns = 1000000000;
UPDATE calls SET size_bytes = 20000000 WHERE site_id = 20;
-- Found:
wall 41 ms, overlapped 0 ms, lost 19.75 (19.75 to 19.75) ms, replayed 41 ms
issue-order app.cu:21, 1 times, blocked 19.75 ms, lost 19.75 (19.75 to 19.75) ms
  at 0.25 ms for 19.75 ms: operation 2 cause 1
