-- As launches.sql, on a device on which 0.1 us is between the kernels of a graph: they end at 74.8 instead of 76,
-- 164.2 us less. At the low end it is 0.5 us: 77.5.
-- Base: tiny-kernels/launches.sql
UPDATE devices SET compute_capability_major = 9, compute_capability_minor = 0;
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0.1642 (0.1615 to 0.1642) ms, replayed 0.239 ms
tiny-kernels app.cu:40, 5 times, blocked 0.195 ms, lost 0.1642 (0.1615 to 0.1642) ms
  at 0 ms for 0.039 ms: call 1 operation 4
  at 0.05 ms for 0.039 ms: call 5 operation 8
  at 0.1 ms for 0.039 ms: call 9 operation 12
