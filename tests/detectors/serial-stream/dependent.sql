-- Near-miss: one stream, but a chain: what comes back from the first kernel goes in again for the
-- second. Nothing is independent.
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  13, 31, 0, 0, 10, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 30, 40, 1000000, 51000000),
  ('h2d', 'pinned', 13, 30, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 31, 0, 0, 50, 70, NULL, NULL),
  ('d2h', 'pinned', 13, 32, 0, 0, 70, 80, 1000000, 51000000);
-- Found:
wall 80 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 80 ms
