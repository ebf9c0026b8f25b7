-- Near-miss: nothing comes back before the host function: it may prepare what the copy reads.
INSERT INTO operation VALUES ('kernel', NULL, 13, 80, 0, 0, 0, 10, NULL, NULL);
INSERT INTO call VALUES ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 0, 0, 50, 70, NULL, NULL);
INSERT INTO host_function VALUES (81, 10, 40);
-- Found:
wall 70 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 70 ms
not seen: host-callback: 1 30
