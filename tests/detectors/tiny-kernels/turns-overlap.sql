-- Near-miss: as turns.sql, but in four of the forty steps the copying thread is still in a call when the other one goes on.
-- Ten launches of each thread are a graph by themselves.
-- Base: tiny-kernels/turns.sql
UPDATE calls SET end_ns = end_ns + 12000 WHERE site_id = 42 AND start_ns / 40000 % 10 = 5;
-- Found:
wall 1.589 ms, overlapped 0 ms, lost 1.445 (1.415 to 1.445) ms, replayed 1.59 ms
tiny-kernels app.cu:41, 4 times, blocked 1.476 ms, lost 1.4315 (1.415 to 1.4315) ms
  tiny-kernels app.cu:41, 4 times, blocked 1.476 ms, alone 0.0195 ms
  tiny-kernels app.cu:40, 4 times, blocked 1.476 ms, alone 0.0035 ms
  at 0.02 ms for 0.369 ms: call 2 operation 20
  at 0.42 ms for 0.369 ms: call 42 operation 40
  at 0.82 ms for 0.369 ms: call 82 operation 60
serial-stream app.cu:41, 4 times, blocked 0.006 ms, lost 0.0135 (0.0135 to 0.0135) ms, with the others fixed
  at 0.046 ms for 0.0015 ms: operation 20 cause 19
  at 0.0825 ms for 0.0015 ms: operation 40 cause 39
  at 0.119 ms for 0.0015 ms: operation 60 cause 59
