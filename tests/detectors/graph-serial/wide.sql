-- As branches.sql, but the kernels have blocks on 88 of 132 multiprocessors: they fit beside each other, and
-- may slow each other down. The low end keeps them in turn.
-- Base: graph-serial/branches.sql
UPDATE operations SET grid_x = 88;
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (0 to 40) ms, replayed 80 ms
graph-serial app.cu:73, 2 times, blocked 40 ms, lost 40 (0 to 40) ms
  at 0 ms for 20 ms: operation 3 cause 2
  at 40 ms for 20 ms: operation 7 cause 6
