-- Two threads launch a kernel of one block, 10 ms, in the default stream. They are in their calls at the
-- same time: the one whose call began first (at 4) runs second. Each waits for its own, one of them a
-- millisecond longer. The main thread joins both and goes on a millisecond later, with a kernel of 2 ms:
-- 32 ms. With a default stream for each thread both kernels run from 8 on, both threads are joined by 19, and
-- the last kernel ends at 23. Beside that, the first synchronize comes before any result: 2 ms.
-- Base: scenes/h100.sql
INSERT INTO threads VALUES (101, 'app'), (102, 'app');
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (53000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 7, 10,  0,  0,  0,  2, NULL, NULL),
  ('kernel', NULL, 7, 20,  4,  8, 18, 28, NULL, NULL),
  ('kernel', NULL, 7, 20,  5,  7,  8, 18, NULL, NULL),
  ('kernel', NULL, 7, 40, 29, 29, 30, 32, NULL, NULL);
INSERT INTO launch VALUES
  (1, 51000000, 51000000), (2, 52000000, 52000000), (3, 53000000, 53000000),
  (4, 51000000, 51000000);
UPDATE operations SET grid_x = 1, grid_y = 1, grid_z = 1, block_x = 64, block_y = 1, block_z = 1,
  registers_per_thread = 32, static_shared_bytes = 0, dynamic_shared_bytes = 0;
INSERT INTO call VALUES
  ('cudaStreamSynchronize', 7, NULL, 11, 0, 2),
  ('cudaStreamSynchronize', 7, NULL, 30, 8, 28),
  ('cudaStreamSynchronize', 7, NULL, 30, 7, 19),
  ('cudaStreamSynchronize', 7, NULL, 41, 29, 32);
UPDATE calls SET thread_id = 101 WHERE id IN (2, 6);
UPDATE calls SET thread_id = 102 WHERE id IN (3, 7);
-- Found:
wall 32 ms, overlapped 0 ms, lost 11 (11 to 11) ms, replayed 32 ms
serial-stream app.cu:20, 1 times, blocked 10 ms, lost 9 (9 to 9) ms
  at 8 ms for 10 ms: operation 3 cause 2
sync-in-loop app.cu:11, 1 times, blocked 2 ms, lost 2 (2 to 2) ms
  at 0 ms for 2 ms: call 2 operation 4 cause 1, stream 2 ms
