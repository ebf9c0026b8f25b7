-- The program has managed memory, but no argument of the kernel points into it: the wait is not needed.
-- Base: results/managed-not-seen.sql
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000);
INSERT INTO launch VALUES (2, 51000000, 61000000);
-- Found:
wall 60 ms, overlapped 0 ms, lost 28 (28 to 28) ms, replayed 60 ms
sync-in-loop app.cu:42, 1 times, blocked 28 ms, lost 10 (10 to 10) ms
  at 2 ms for 28 ms: call 3 operation 2 cause 1, other streams 28 ms
serial-stream app.cu:43, 1 times, blocked 18 ms, lost 18 (18 to 18) ms, with the others fixed
  at 12 ms for 18 ms: operation 2 cause 1
