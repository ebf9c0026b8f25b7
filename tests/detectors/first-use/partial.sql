-- As first-use-removable, and of the copy out only 996,000 of its bytes were watched: what is seen is
-- taken as what happened, and the low end keeps the wait.
-- Base: sync-in-loop/read.sql
INSERT INTO first_use VALUES (3, 40, 0, NULL, NULL, 996000), (7, 85, 0, NULL, NULL, 1000000);
-- Found:
wall 85 ms, overlapped 0 ms, lost 25 (0 to 25) ms, replayed 85 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 25 (0 to 25) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, removable in part
