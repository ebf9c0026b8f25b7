-- As launches.sql, but the host waits after two kernels of each step, from 17 us to 20 us: a graph from behind
-- the wait up to the next one, of two kernels of this step and two of the next. The wait then ends 11 us behind
-- the one before (2.5 + 2 + 4 + 3 x 0.5 + 1) and not 50: 4 x 39 us less.
-- Base: tiny-kernels/launches.sql
UPDATE rounds SET times = 5, ms = 0.05;
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 50, 0.017, 0.02);
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0.189 (0.1872 to 0.189) ms, replayed 0.239 ms
tiny-kernels app.cu:42, 4 times, blocked 0.196 ms, lost 0.156 (0.1488 to 0.156) ms
  at 0.02 ms for 0.049 ms: call 4 operation 6
  at 0.07 ms for 0.049 ms: call 9 operation 10
  at 0.12 ms for 0.049 ms: call 14 operation 14
sync-in-loop app.cu:50, 5 times, blocked 0.028 ms, lost 0.033 (0.033 to 0.033) ms, with the others fixed
  at 0.0235 ms for 0.0065 ms: call 8 operation 7 cause 6
  at 0.0345 ms for 0.0065 ms: call 13 operation 11 cause 10
  at 0.0455 ms for 0.0065 ms: call 18 operation 15 cause 14
  fix: the other one
sync-in-loop app.cu:50, 5 times, blocked 0.01 ms, lost 0.015 (0.015 to 0.015) ms, folded
  at 0.017 ms for 0.002 ms: call 3 operation 3 cause 2, stream 0.002 ms
  at 0.067 ms for 0.002 ms: call 8 operation 7 cause 6, stream 0.002 ms
  at 0.117 ms for 0.002 ms: call 13 operation 11 cause 10, stream 0.002 ms
  fix: the other one
