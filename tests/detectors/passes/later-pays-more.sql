-- only-beside.sql, and behind it a kernel, the wait of 40 ms for it, and a copy of 5 ms. With line 22 fixed the first
-- run's copy ends at 50.4 ms, and the host waits for that in line 24: without this wait, or with the copy in a stream of
-- its own, the kernel begins at 40.4, which saves 10 ms, the same ones. Line 43's wait holds back the copy of 5 ms: 5 ms
-- alone. The finding of the later pass pays more, so it comes before that: 20, 10, 5, and nothing is left for the last.
-- Base: passes/only-beside.sql
INSERT INTO operation VALUES ('kernel', NULL, 14, 41, 70.4, 70.4, 70.4, 110.4, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 14, NULL, 43, 70.4, 110.4);
INSERT INTO operation VALUES ('d2h', 'pinned', 23, 40, 110.4, 110.4, 110.4, 115.4, 12000000, 62000000);
-- Found:
wall 115.4 ms, overlapped 40 ms, lost 35 (35 to 35) ms, replayed 115.4 ms
pageable-copy app.cu:22, 2 times, blocked 60 ms, lost 20 (20 to 20) ms
  40 ms move to finding 2
  at 20 ms for 40 ms: call 3 operation 3, copy 40 ms
  at 0 ms for 20 ms: call 1 operation 1, copy 20 ms
sync-in-loop app.cu:24, 1 times, blocked 40.1 ms, lost 10 (10 to 10) ms, with the others fixed
  30.1 ms move to finding 3
  at 10.3 ms for 40.1 ms: call 5 operation 5 cause 4
sync-in-loop app.cu:43, 1 times, blocked 40 ms, lost 5 (5 to 5) ms
  at 70.4 ms for 40 ms: call 7 operation 6 cause 5, stream 40 ms
serial-stream app.cu:23, 1 times, blocked 20.4 ms, lost 10 (10 to 10) ms, with the others fixed
  at 20 ms for 20.4 ms: operation 4 cause 2
serial-stream app.cu:23, 1 times, blocked 0.4 ms, lost 0.4 (0 to 0.4) ms, folded
  at 60 ms for 0.4 ms: operation 4 cause 2
sync-in-loop app.cu:24, 1 times, blocked 0.1 ms, lost 0.1 (0 to 0.1) ms, folded
  at 70.3 ms for 0.1 ms: call 5 operation 5 cause 4, other streams 0.1 ms
