-- Near-miss: the same order, but each kernel has a buffer for its result already: the events order what need not
-- be ordered, or hold back for a reason that the trace does not show. Two buffers are not the fix.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO allocation VALUES
  (51000000, 1000000), (61000000, 1000000), (62000000, 1000000), (63000000, 1000000);
INSERT INTO operation VALUES ('kernel', NULL, 23, 31, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 1, 32, 0.25, 0.25),
  ('cudaStreamWaitEvent', 24, 1, 33, 0.5, 0.5);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 34, 0.75, 0.75, 20, 40, 11000000, 61000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 2, 35, 1, 1),
  ('cudaStreamWaitEvent', 23, 2, 30, 1.25, 1.25);
INSERT INTO operation VALUES ('kernel', NULL, 23, 31, 1.5, 1.5, 40, 60, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 1, 32, 1.75, 1.75),
  ('cudaStreamWaitEvent', 24, 1, 33, 2, 2);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 34, 2.25, 2.25, 60, 80, 12000000, 62000000);
INSERT INTO call VALUES
  ('cudaEventRecord', 24, 2, 35, 2.5, 2.5),
  ('cudaStreamWaitEvent', 23, 2, 30, 2.75, 2.75);
INSERT INTO operation VALUES ('kernel', NULL, 23, 31, 3, 3, 80, 100, NULL, NULL);
INSERT INTO call VALUES
  ('cudaEventRecord', 23, 1, 32, 3.25, 3.25),
  ('cudaStreamWaitEvent', 24, 1, 33, 3.5, 3.5);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 34, 3.75, 3.75, 100, 120, 13000000, 63000000);
INSERT INTO launch VALUES
  (1, 51000000, 61000000), (7, 51000000, 62000000), (13, 51000000, 63000000);
-- Found:
wall 120 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 120 ms
