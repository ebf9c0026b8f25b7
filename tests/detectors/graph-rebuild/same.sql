-- Five steps, 20 ms each. Each captures two kernels (3 ms, of which 1 ms for each launch), instantiates the graph
-- (4 ms), launches it (1 ms; 2 ms a kernel) and copies its result out (1 ms), waits, and destroys the instance
-- (2 ms) and the graph (1 ms); the host reads for 4 ms. No argument
-- changes.
-- Launched again, the instance needs no update, nor the upload of 0.986 ms: 4 x 10.986 ms. For the low end it is
-- updated all the same: 4 x 5.9996.
-- Base: graph-rebuild/steps.sql
UPDATE calls SET numbers = 7 WHERE site_id = 71;
-- Found:
wall 96 ms, overlapped 0 ms, lost 43.944 (23.9964 to 43.944) ms, replayed 96 ms
graph-rebuild app.cu:74, 4 times, blocked 28 ms, lost 43.944 (23.9964 to 43.944) ms
  at 20 ms for 7 ms: call 15
  at 40 ms for 7 ms: call 25
  at 60 ms for 7 ms: call 35
not seen: sync-in-loop: 4 16
