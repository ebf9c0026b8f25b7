-- As new-pointers.sql, but the launches take 1 us each: setting the parameters of one node anew takes no longer than
-- that, and copying 2 us. From the last launch to the next step the host works for 19 us. As graphs a step takes
-- 2.5 + 19 us; the last one begins at 86, its second kernel starts 7 us behind its call of 2.5 us, and the others end 4
-- later: at 99.5, 139.5 us less. At the low end the first step takes 2.8 + 19, three with new pointers 1 us more each;
-- the last one begins at 90.2, its second kernel starts 3.8 + 7 later, and the others end 5 after that: 133 us less.
-- Base: tiny-kernels/new-pointers.sql
UPDATE calls SET end_ns = start_ns + 1000;
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0.1395 (0.133 to 0.1395) ms, replayed 0.239 ms
tiny-kernels app.cu:40, 5 times, blocked 0.195 ms, lost 0.1395 (0.133 to 0.1395) ms
  at 0 ms for 0.039 ms: call 1 operation 4
  at 0.05 ms for 0.039 ms: call 5 operation 8
  at 0.1 ms for 0.039 ms: call 9 operation 12
not seen: buffers in one allocation: 16 40
