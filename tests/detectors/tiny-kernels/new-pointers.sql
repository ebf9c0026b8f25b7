-- As launches.sql, but in each step the kernels read other memory than in the steps before, the four of a step the same.
-- For the low end that is copied into a fixed buffer once a step, in at most twice what the first kernel takes, 2 us, which
-- is less than the 6 us of its launch: the last graph still begins at 4 x 16.8, and its kernels take 1 us each, 1 us
-- apart: 4 x 16.8 + 2.8 + 2 + 4 + 2 + 3 = 81, which is 158 us less.
-- Base: tiny-kernels/launches.sql
INSERT INTO allocation VALUES (50000000, 1000000), (61000000, 1000000);
INSERT INTO launch SELECT id, 50000000 + (id - 1) / 4 * 1000, 61000000 FROM calls;
UPDATE operations SET grid_x = 1 + (id - 1) % 4, grid_y = 1, grid_z = 1;
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0.163 (0.158 to 0.163) ms, replayed 0.239 ms
tiny-kernels app.cu:40, 5 times, blocked 0.195 ms, lost 0.163 (0.158 to 0.163) ms
  at 0 ms for 0.039 ms: call 1 operation 4
  at 0.05 ms for 0.039 ms: call 5 operation 8
  at 0.1 ms for 0.039 ms: call 9 operation 12
not seen: buffers in one allocation: 16 40
