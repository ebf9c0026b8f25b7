-- As turns.sql, but in two of the forty steps the copy follows the launch at once, and in two others the copying thread
-- is still in its last call, which enqueues nothing, when the other one goes on.
-- Base: tiny-kernels/turns.sql
UPDATE calls SET start_ns = start_ns - 13990, end_ns = end_ns - 13990 WHERE site_id = 41 AND start_ns / 40000 % 20 = 3;
UPDATE calls SET end_ns = end_ns + 12000 WHERE site_id = 42 AND start_ns / 40000 % 20 = 5;
-- Found:
wall 1.589 ms, overlapped 0 ms, lost 1.214 (1.2032 to 1.214) ms, replayed 1.59 ms
tiny-kernels app.cu:41, 4 times, blocked 1.236 ms, lost 1.214 (1.2032 to 1.214) ms
  at 0.02 ms for 0.309 ms: call 2 operation 17
  at 0.34 ms for 0.309 ms: call 34 operation 33
  at 0.66 ms for 0.309 ms: call 66 operation 49
