-- As fields.sql, but on the device there are gaps between the pieces, of 2 kB in the first step and of 4 kB in the others:
-- ten pieces of 1 kB span 28 or 46 kB. At the low end only the first step's become one copy: 90 us less, but for
-- 2.5 us to gather 10 kB.
-- Base: tiny-copies/fields.sql
UPDATE calls SET dst = 60000000 + (dst - 60000000) * iif(start_ns < 1000200000, 3, 5) WHERE size_bytes IS NOT NULL;
-- Found:
wall 0.652 ms, overlapped 0 ms, lost 0.26625 (0.0875 to 0.27) ms, replayed 0.652 ms
tiny-copies app.cu:40, 3 times, blocked 0.309 ms, lost 0.26625 (0.0875 to 0.27) ms
  at 0 ms for 0.103 ms: call 1 operation 10
  at 0.22 ms for 0.103 ms: call 12 operation 21
  at 0.44 ms for 0.103 ms: call 23 operation 32
