-- As steps.sql, with updates elsewhere in the run (line 80) that took 3 ms each: 4 x 7.493 ms. The low end captures
-- the graph again, and is the same.
-- Base: graph-rebuild/steps.sql
UPDATE rounds SET times = 2, ms = 3;
INSERT INTO call VALUES ('cuGraphExecKernelNodeSetParams', NULL, 905, 80, 100, 103);
-- Found:
wall 106 ms, overlapped 0 ms, lost 29.972 (23.9964 to 43.944) ms, replayed 106 ms
graph-rebuild app.cu:74, 4 times, blocked 28 ms, lost 29.972 (23.9964 to 43.944) ms
  at 20 ms for 7 ms: call 15
  at 40 ms for 7 ms: call 25
  at 60 ms for 7 ms: call 35
not seen: sync-in-loop: 4 16
