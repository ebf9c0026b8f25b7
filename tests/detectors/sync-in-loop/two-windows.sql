-- Two windows, a second apart, of the same work: in each the wait of 39 ms holds back the copy of 10 ms
-- behind it, which saves 10 of 50 ms. The window of 60 ms ends 10 ms later. Both together: 20 ms, and what
-- the first one saves does not move the second.
INSERT INTO windows (id, start_ns, end_ns, cause) VALUES
  (1, 1000000000, 1060000000, 'call'), (2, 2000000000, 2060000000, 'call');
INSERT INTO chunk VALUES (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 40, 40, 40, 40, 50, 2000000, 52000000);
INSERT INTO chunk VALUES (1, 1, 13, 40, 1000, 1000, 1010, 1030);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1001, 1040);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 40, 1040, 1040, 1040, 1050, 2000000, 52000000);
-- Found:
wall 120 ms, overlapped 0 ms, lost 20 (0 to 20) ms, replayed 120 ms
sync-in-loop app.cu:43, 2 times, blocked 78 ms, lost 20 (0 to 20) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms
  at 1001 ms for 39 ms: call 9 operation 8 cause 7, stream 39 ms
