-- The wait of 39 ms goes on in the next synchronize (line 44), which the trace shows returning at once:
-- alone its fix saves nothing. Both lines are one finding. With both fixed the copy of line 45 runs from 10 to 20 ms, inside of the
-- chunk: 10 of 50 ms.
INSERT INTO chunk VALUES (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 13, NULL, 43, 1, 40),
  ('cudaDeviceSynchronize', NULL, NULL, 44, 40, 40);
INSERT INTO operation VALUES ('h2d', 'pinned', 14, 45, 40, 40, 40, 50, 2000000, 52000000);
-- Found:
wall 50 ms, overlapped 0 ms, lost 10 (0 to 10) ms, replayed 50 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 10 (0 to 10) ms
  sync-in-loop app.cu:43, 1 times, blocked 39 ms, alone 0 ms
  sync-in-loop app.cu:44, 1 times, blocked 39 ms, alone 0 ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms
