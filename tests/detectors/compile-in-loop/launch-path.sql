-- As host-work/launch-path.sql, but the function compiles: 8 x 10 ms less, without which the nine kernels take 27 ms.
-- Base: host-work/launch-path.sql
UPDATE python_frames SET file = '/usr/lib/python3/dist-packages/torch/_inductor/compile_fx.py' WHERE site_id = 101 AND depth = 0;
-- Found:
wall 83 ms, overlapped 0 ms, lost 56 (56 to 56) ms, replayed 83 ms
compile-in-loop /home/u/train.py:41, 8 times, blocked 56 ms, lost 56 (56 to 56) ms
  at 3 ms for 7 ms: call 2 operation 2
  at 13 ms for 7 ms: call 3 operation 3
  at 23 ms for 7 ms: call 4 operation 4
