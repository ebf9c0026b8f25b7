-- As workers.sql, but the trace does not tell how many processors there were: four are assumed, which leaves three workers.
-- Base: host-bound/workers.sql
DELETE FROM metadata WHERE key = 'host_cpus';
-- Found:
wall 82 ms, overlapped 0 ms, lost 55 (16 to 55) ms, replayed 82 ms
host-bound app.cu:40, 8 times, blocked 64 ms, lost 54 (16 to 54) ms
  at 2 ms for 8 ms: call 4 operation 3
  at 12 ms for 8 ms: call 7 operation 5
  at 22 ms for 8 ms: call 10 operation 7
sync-in-loop app.cu:42, 8 times, blocked 16 ms, lost 16 (16 to 16) ms
  in the order of the list: 0 ms
  at 0 ms for 2 ms: call 3 operation 3 cause 2, stream 2 ms
  at 10 ms for 2 ms: call 6 operation 5 cause 4, stream 2 ms
  at 20 ms for 2 ms: call 9 operation 7 cause 6, stream 2 ms
serial-stream app.cu:40, 5 times, blocked 5 ms, lost 1 (0 to 1) ms, with the others fixed
  at 9 ms for 1 ms: operation 5 cause 4
  at 11 ms for 1 ms: operation 7 cause 6
  at 17 ms for 1 ms: operation 11 cause 10
  fix: the other one
