-- The chunks of copy-behind-wait.sql from 42 ms on, in streams that are made at 41.5 ms, between two waits
-- that nothing needs. Without these waits the streams' creation moves with their calls, and the
-- synchronizes that the copies hide are found as before.
INSERT INTO operation VALUES ('kernel', NULL, 23, 49, 0, 0, 0, 20, NULL, NULL);
INSERT INTO call VALUES ('cudaStreamSynchronize', 23, NULL, 50, 0, 20);
INSERT INTO operation VALUES ('d2h', 'pinned', 24, 51, 20, 20, 20, 40, 13000000, 63000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 24, NULL, 52, 20, 40);
INSERT INTO operation VALUES
  ('h2d', 'pinned',   13, 30, 42,  42,  42,  52,  1000000, 51000000),
  ('kernel', NULL,    13, 31, 42,  42, 52,  82, NULL, NULL),
  ('d2h', 'pageable', 13, 32, 42, 92, 82,  92, 11000000, 61000000);
INSERT INTO call VALUES ('cudaStreamSynchronize', 13, NULL, 33, 92, 92);
INSERT INTO operation VALUES
  ('h2d', 'pinned',   14, 30, 92, 92, 92,  102,  2000000, 52000000),
  ('kernel', NULL,    14, 31, 92, 92, 102,  132, NULL, NULL),
  ('d2h', 'pageable', 14, 32, 92, 142, 132, 142, 12000000, 62000000);
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 14, NULL, 33, 142, 142),
  ('cudaStreamCreate', NULL, NULL, 48, 41.4, 41.6),
  ('cudaStreamCreate', NULL, NULL, 48, 41.4, 41.6);
UPDATE streams SET created_ns = 1041500000 WHERE id IN (13, 14);
-- Found:
wall 142 ms, overlapped 0 ms, lost 52 (32 to 52) ms, replayed 142 ms
pageable-copy app.cu:32, 2 times, blocked 100 ms, lost 20 (0 to 20) ms
  pageable-copy app.cu:32, 2 times, blocked 100 ms, alone 0 ms
  sync-in-loop app.cu:33, 1 times, blocked 58 ms, alone 0 ms
  at 42 ms for 50 ms: call 9 operation 5 cause 4, stream 40 ms, copy 10 ms
  at 92 ms for 50 ms: call 13 operation 8 cause 7, stream 40 ms, copy 10 ms
sync-in-loop app.cu:50, 1 times, blocked 20 ms, lost 20 (20 to 20) ms
  at 0 ms for 20 ms: call 2 operation 2 cause 1, stream 20 ms
sync-in-loop app.cu:52, 1 times, blocked 20 ms, lost 20 (20 to 20) ms
  in the order of the list: 12 ms
  at 20 ms for 20 ms: call 4 operation 3 cause 2, stream 20 ms
