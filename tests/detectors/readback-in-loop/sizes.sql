-- The same steps, but the next step's kernel has as many blocks as the value said, which is told it, too: the value is
-- a size. Nine reads are found, as in steps.sql.
-- Base: readback-in-loop/steps.sql
UPDATE operations SET grid_x = 1 + (start_ns - 1000000000) / 20000000, grid_y = 1, grid_z = 1,
  block_x = 128, block_y = 1, block_z = 1 WHERE kind = 1;
UPDATE calls SET numbers = 1 + (start_ns - 1000000000) / 20000000 WHERE site_id = 40;
-- Found:
wall 192 ms, overlapped 0 ms, lost 90 (0 to 90) ms, replayed 192 ms
readback-in-loop app.cu:41, 10 times, blocked 110 ms, lost 90 (0 to 90) ms
  at 1 ms for 11 ms: call 3 operation 2 cause 2, stream 10 ms
  at 21 ms for 11 ms: call 6 operation 4 cause 4, stream 10 ms
  at 41 ms for 11 ms: call 9 operation 6 cause 6, stream 10 ms
  fix: the other one
not seen: sync-in-loop: 9 90
