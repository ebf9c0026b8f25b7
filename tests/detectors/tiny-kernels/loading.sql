-- The five times four launches of launches.sql, but the first launch takes 30 us more, in which it loads code. A graph's
-- first run does that, too: the first sequence stays as it is. The second one begins at 80 us, and as graphs the last
-- one begins at 80 + 3 x 16.5 and ends 10 us later: 129.5 us less than 269. At the low end it ends at
-- 80 + 3 x 16.8 + 2.8 + 2 + 4 + 3 = 142.2.
-- Base: tiny-kernels/launches.sql
UPDATE calls SET start_ns = start_ns - 30000 WHERE id = 1;
INSERT INTO overheads (kind, start_ns, end_ns, thread_id)
SELECT 327680, start_ns + 1000, start_ns + 30000, thread_id FROM calls WHERE id = 1;
-- Found:
wall 0.269 ms, overlapped 0 ms, lost 0.1295 (0.1268 to 0.1295) ms, replayed 0.269 ms
tiny-kernels app.cu:40, 4 times, blocked 0.156 ms, lost 0.1295 (0.1268 to 0.1295) ms
  at 0.08 ms for 0.039 ms: call 5 operation 8
  at 0.13 ms for 0.039 ms: call 9 operation 12
  at 0.18 ms for 0.039 ms: call 13 operation 16
