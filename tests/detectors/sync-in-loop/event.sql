-- The host waits for an event behind the first kernel and then enqueues a copy that could have run
-- beside it. What was enqueued in the stream after the event is not waited for.
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaEventRecord', 13, 77, 42, 1, 1);
INSERT INTO operation VALUES ('kernel', NULL, 13, 41, 2, 2, 30, 60, NULL, NULL);
INSERT INTO call VALUES ('cudaEventSynchronize', NULL, 77, 43, 3, 30);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 44, 30, 30, 30, 70, 2000000, 52000000);
-- Found:
wall 70 ms, overlapped 30 ms, lost 10 (10 to 10) ms, replayed 70 ms
sync-in-loop app.cu:43, 1 times, blocked 27 ms, lost 10 (10 to 10) ms
  at 3 ms for 27 ms: call 4 operation 3 cause 1, stream 27 ms
