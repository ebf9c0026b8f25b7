-- As steps.sql, but the sixth kernel has two blocks instead of one, as the fifth value may have said, and the seventh
-- one again, as the sixth may have. At the low end these two reads stay in their step, and the others are a step late:
-- the copies end at 12, 23, 34, 45 and 56 ms, in the sixth step, which begins at 64, at 76, and in the seventh, which
-- begins at 84, and behind it at 96, 107, 118 and 129. 63 ms less. Where all are late it is 111 ms, 81 less.
-- Base: readback-in-loop/steps.sql
UPDATE operations SET grid_x = iif((start_ns - 1000000000) / 20000000 = 5, 2, 1), grid_y = 1, grid_z = 1,
  block_x = 128, block_y = 1, block_z = 1 WHERE kind = 1;
-- Found:
wall 192 ms, overlapped 0 ms, lost 90 (63 to 90) ms, replayed 192 ms
readback-in-loop app.cu:41, 10 times, blocked 110 ms, lost 90 (63 to 90) ms
  at 1 ms for 11 ms: call 3 operation 2 cause 2, stream 10 ms
  at 21 ms for 11 ms: call 6 operation 4 cause 4, stream 10 ms
  at 41 ms for 11 ms: call 9 operation 6 cause 6, stream 10 ms
not seen: sync-in-loop: 9 90
