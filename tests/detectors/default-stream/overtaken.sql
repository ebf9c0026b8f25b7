-- Near-miss: two threads call at the same moment. By the calls' entries the default stream's kernel
-- is the first, but the copy reached the device before it, and ran (5 to 8 ms) before the kernel
-- did (8 to 12): the kernel did not hold it.
INSERT INTO operation VALUES
  ('kernel', NULL,  7, 20, 0, 3, 8, 12, NULL, NULL),
  ('h2d', 'pinned', 13, 21, 1, 2, 5, 8, 1000000, 51000000);
-- Found:
wall 12 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 12 ms
