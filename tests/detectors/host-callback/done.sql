-- Near-miss: the next chunk is enqueued when the host function has returned: it held nothing.
INSERT INTO operation VALUES ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call VALUES ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 82, 40, 40, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 40, 40, 50, 70, NULL, NULL);
INSERT INTO host_function VALUES (81, 10, 40);
-- Found:
wall 70 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 70 ms
