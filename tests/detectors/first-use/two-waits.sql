-- As unrelied.sql, but the next kernel reads what the one before it wrote, and two waits stand between them: which of them
-- orders the kernels is not known, so nothing is said of the wait that can go.
-- Base: first-use/removable.sql
INSERT INTO allocation VALUES (51000000, 1000000), (61000000, 1000000), (52000000, 1000000), (62000000, 1000000);
INSERT INTO launch VALUES (2, 51000000, 61000000), (6, 61000000, 62000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 19, NULL, 47, 40.5, 40.6);
-- Found:
wall 85 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 85 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 25 (25 to 25) ms
  sync-in-loop app.cu:43, 1 times, blocked 39 ms, alone 0.6 ms
  sync-in-loop app.cu:47, 1 times, blocked 38.5 ms, alone 0.1 ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, removable
serial-stream app.cu:41, 1 times, blocked 10 ms, lost 10 (10 to 10) ms
  in the order of the list: 0 ms
  at 45 ms for 10 ms: operation 5 cause 4
