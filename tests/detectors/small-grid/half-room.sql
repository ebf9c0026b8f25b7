-- Near-miss: two kernels of one stream, 10 ms each, by their arguments independent. Of 1188 blocks that fit (54
-- registers, 128 threads: 9 a multiprocessor) each has 512. All multiprocessors have 3 or 4 of them: by r (2 - r) each
-- kernel takes 0.68 of the device, and in streams of their own they would take turns.
-- Base: scenes/h100.sql
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 20, 0, 0,  0, 10, NULL, NULL),
  ('kernel', NULL, 13, 20, 0, 0, 10, 20, NULL, NULL);
INSERT INTO launch VALUES (1, 51000000, 51000000), (2, 52000000, 52000000);
UPDATE operations SET grid_x = 512, grid_y = 1, grid_z = 1, block_x = 128, block_y = 1, block_z = 1,
  registers_per_thread = 54, static_shared_bytes = 0, dynamic_shared_bytes = 0;
-- Found:
wall 20 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 20 ms
