-- The host reads the first result at 50, 10 ms after its wait and behind the next work: the wait can go
-- there. The second chunk is done by 60 as without any wait, and the calls behind the read, which
-- comes at 40 then, keep nothing waiting.
INSERT INTO chunk VALUES (1, 1, 13, 40, 0, 0, 10, 30);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 43, 1, 40);
INSERT INTO chunk VALUES (2, 2, 14, 40, 45, 45, 55, 75);
INSERT INTO call VALUES
  ('cudaEventRecord', 14, 77, 45, 55, 55),
  ('cudaDeviceSynchronize', 7, NULL, 44, 56, 85);
INSERT INTO first_use VALUES (3, 40, 1, 50, 90, 1000000), (7, 85, 0, NULL, NULL, 1000000);
-- Found:
wall 85 ms, overlapped 0 ms, lost 25 (25 to 25) ms, replayed 85 ms
sync-in-loop app.cu:43, 1 times, blocked 39 ms, lost 25 (25 to 25) ms
  at 1 ms for 39 ms: call 4 operation 4 cause 3, stream 39 ms, movable by 10 ms at line 90
