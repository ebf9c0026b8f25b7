-- Ten launches of 5 ms, each with a kernel of 3 ms that starts 6 ms after its call, and a synchronize of 8 ms
-- behind it, of which 4 are the way back. Without the first nine the host launches back to back: the last
-- kernel ends at 45 + 6 + 3 = 54 ms and the last synchronize at 58, instead of 130.
UPDATE rounds SET times = 10, ms = 13;
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 5, 6, 9, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 42, 5, 13);
-- Found:
wall 130 ms, overlapped 0 ms, lost 72 (72 to 72) ms, replayed 130 ms
sync-in-loop app.cu:42, 9 times, blocked 36 ms, lost 72 (72 to 72) ms
  at 5 ms for 4 ms: call 2 operation 2 cause 1, other streams 4 ms
  at 18 ms for 4 ms: call 4 operation 3 cause 2, other streams 4 ms
  at 31 ms for 4 ms: call 6 operation 4 cause 3, other streams 4 ms
  fix: the other one
