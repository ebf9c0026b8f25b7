-- As branches.sql, but the branches take turns, and the last node needs both: with memory 51, 52, 51 and from 51
-- to 52 they take 10, 10 beside it, 10 and 10 ms. 2 x 30 ms instead of 2 x 40.
-- Base: graph-serial/branches.sql
UPDATE launch_arguments SET address = 52000000 WHERE id = 3;
UPDATE launch_arguments SET address = 51000000 WHERE id = 4 OR (id = 5 AND position = 0);
-- Found:
wall 80 ms, overlapped 0 ms, lost 20 (20 to 20) ms, replayed 80 ms
graph-serial app.cu:72, 2 times, blocked 20 ms, lost 20 (20 to 20) ms
  at 0 ms for 10 ms: operation 2 cause 1
  at 40 ms for 10 ms: operation 6 cause 5
