-- As launches.sql, but in each step the first kernel reads other memory than in the steps before, and the third one writes
-- other memory, from which the fourth one reads: that is the graph's own. The first and the third count as copied, in
-- twice their time: 4 us. 4 x 16.8 + 2.8 + 2 + 4 + 4 + 3 = 83, which is 156 us less.
-- Base: tiny-kernels/launches.sql
INSERT INTO allocation VALUES (50000000, 1000000), (61000000, 1000000), (63000000, 1000000);
INSERT INTO launch SELECT id, CASE (id - 1) % 4 WHEN 0 THEN 50000000 + (id - 1) / 4 * 1000 WHEN 3 THEN
    63000000 + (id - 1) / 4 * 1000 ELSE 61000000 END,
  CASE (id - 1) % 4 WHEN 2 THEN 63000000 + (id - 1) / 4 * 1000 ELSE 61000000 END FROM calls;
UPDATE operations SET grid_x = 1 + (id - 1) % 4, grid_y = 1, grid_z = 1;
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0.163 (0.156 to 0.163) ms, replayed 0.239 ms
tiny-kernels app.cu:40, 5 times, blocked 0.195 ms, lost 0.163 (0.156 to 0.163) ms
  at 0 ms for 0.039 ms: call 1 operation 4
  at 0.05 ms for 0.039 ms: call 5 operation 8
  at 0.1 ms for 0.039 ms: call 9 operation 12
not seen: buffers in one allocation: 12 40
