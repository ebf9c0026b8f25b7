-- Two windows, a second apart: the wait of 39 ms in the first held back what came in the window, the
-- chunk of 10 ms behind it. The second window's wait lasts beyond its end, to where nothing is known.
INSERT INTO windows (id, start_ns, end_ns, cause) VALUES
  (1, 1000000000, 1060000000, 'call'), (2, 2000000000, 2040000000, 'call');
INSERT INTO chunk VALUES (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 14, 40, 40, 40, 40, 50, 2000000, 52000000),
  ('kernel', NULL,  13, 41, 1000, 1000, 1000, 1060, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1001, 1060);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 40, 1060, 1060, 1060, 1070, 2000000, 52000000);
-- Found:
wall 100 ms, overlapped 0 ms, lost 10 (0 to 10) ms, replayed 100 ms
sync-in-loop app.cu:43, 2 times, blocked 78 ms, lost 10 (0 to 10) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms
  at 1001 ms for 39 ms: call 7 operation 6 cause 5, stream 59 ms
