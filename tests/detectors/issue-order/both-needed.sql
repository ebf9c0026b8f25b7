-- The same as prefetch.sql, but the kernel writes to the memory of the large copy, too, and waits for it: the
-- other order saves nothing.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 20000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 20, 0, 0, 0, 20, 10000000, 61000000),
  ('h2d', 'pinned', 24, 21, 0.25, 0.25, 20, 21, 1000000, 51000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 1, 22, 0.5, 0.5),
  ('cudaStreamWaitEvent', 24, 1, 23, 0.5, 0.5);
INSERT INTO operation VALUES ('kernel', NULL, 24, 24, 0.5, 0.5, 21, 41, NULL, NULL);
INSERT INTO launch VALUES (5, 51000000, 61000000);
UPDATE operations SET size_bytes = 20000000 WHERE start_ns = 1000000000;
UPDATE calls SET size_bytes = 20000000 WHERE site_id = 20;
-- Found:
wall 41 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 41 ms
issue-order app.cu:21, 1 times, blocked 19.75 ms, lost 0 (0 to 0) ms, folded
  at 0.25 ms for 19.75 ms: operation 2 cause 1
