-- Near-miss: as step-needs.sql, but in C, where a graph is captured between two waits: what saves most comes first.
-- Base: passes/step-needs.sql
DELETE FROM python_frames;
UPDATE modules SET path = 'app';
UPDATE frames SET file = 'app.cu', line = site_id;
-- Found:
wall 1.961 ms, overlapped 0 ms, lost 1.142 (1.13 to 1.142) ms, replayed 1.961 ms
tiny-kernels app.cu:40, 20 times, blocked 1.22 ms, lost 0.61 (0.56 to 0.61) ms
  at 0 ms for 0.061 ms: call 1 operation 5
  at 0.1 ms for 0.061 ms: call 7 operation 10
  at 0.2 ms for 0.061 ms: call 13 operation 15
sync-in-loop app.cu:50, 19 times, blocked 0.38 ms, lost 0.38 (0.38 to 0.38) ms
  in the order of the list: 0.532 ms
  at 0.041 ms for 0.02 ms: call 6 operation 6 cause 5, stream 0.02 ms
  at 0.141 ms for 0.02 ms: call 12 operation 11 cause 10, stream 0.02 ms
  at 0.241 ms for 0.02 ms: call 18 operation 16 cause 15, stream 0.02 ms
  fix: the other one
