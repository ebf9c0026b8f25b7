-- The kernel reads pinned memory (its argument points to const) and writes the device's: it gives the host
-- nothing to read, and the wait is not needed.
-- Base: results/not-seen.sql
INSERT INTO allocation VALUES (61000000, 1000000);
INSERT INTO launch VALUES (2, 31500000, 61000000);
-- Found:
wall 60 ms, overlapped 0 ms, lost 28 (10 to 28) ms, replayed 60 ms
sync-in-loop app.cu:42, 1 times, blocked 28 ms, lost 10 (10 to 10) ms
  at 2 ms for 28 ms: call 3 operation 2 cause 1, other streams 28 ms
serial-stream app.cu:43, 1 times, blocked 18 ms, lost 18 (0 to 18) ms, with the others fixed
  at 12 ms for 18 ms: operation 2 cause 1
not seen: buffers in one allocation: 1 2
