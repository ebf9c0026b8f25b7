-- As round-trip.sql, but all of a step is enqueued at once, asynchronously: what goes back is read on the host by
-- the call before it is there, so that the hash says nothing; but nobody can have changed it.
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
UPDATE rounds SET times = 3, ms = 50;
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 31, 0, 0, 0, 20, NULL, NULL),
  ('d2h', 'pinned', 7, 32, 0, 0, 20, 30, 11000000, 61000000),
  ('h2d', 'pinned', 7, 33, 0, 0, 30, 40, 11000000, 61000000),
  ('kernel', NULL, 7, 34, 0, 0, 40, 50, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 35, 0, 50);
INSERT INTO launch SELECT id, 51000000, 61000000 FROM calls WHERE site_id = 31;
INSERT INTO launch SELECT id, 61000000, 51000000 FROM calls WHERE site_id = 34;
UPDATE calls SET numbers = 2147483648 + 100 + id WHERE site_id = 33;
-- Found:
wall 150 ms, overlapped 0 ms, lost 60 (30 to 60) ms, replayed 150 ms
redundant-transfer app.cu:33, 3 times, blocked 30 ms, lost 60 (30 to 60) ms
  at 30 ms for 10 ms: call 3 operation 3
  at 80 ms for 10 ms: call 8 operation 7
  at 130 ms for 10 ms: call 13 operation 11
  fix: the other one
sync-in-loop app.cu:35, 2 times, blocked 100 ms, lost 0 (0 to 0) ms, folded
  at 0 ms for 50 ms: call 5 operation 5 cause 4, other streams 50 ms
  at 50 ms for 50 ms: call 10 operation 9 cause 8, other streams 50 ms
