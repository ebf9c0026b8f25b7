-- The kernel in the default stream that holds the first copy was enqueued before the trace began: there
-- is no line to change, and no finding.
INSERT INTO operation VALUES
  ('kernel', NULL,   7, 21, 0, 0, 0,  30, NULL, NULL),
  ('h2d', 'pinned', 13, 20, 0, 0, 30, 40, 1000000, 51000000),
  ('h2d', 'pinned', 13, 20, 0, 0, 40, 50, 1000000, 51000000),
  ('h2d', 'pinned', 13, 20, 0, 0, 50, 60, 2000000, 52000000);
UPDATE operations SET correlation_id = 4000000 WHERE stream_id = 7;
-- Found:
wall 60 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 60 ms
not seen: unmatched: 1
