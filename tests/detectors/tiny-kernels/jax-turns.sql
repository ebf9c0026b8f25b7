-- As launches.sql, but of JAX, and the kernels of each step read other memory than in the step before, and the same as in
-- the one before that. XLA sets the arguments of all four nodes before the second launch and the later ones, which takes
-- 4 x 1 us each time: 4 us less than there for each of three, and 3.5 for the last one, whose first kernel starts 8 us behind
-- the call's begin, as it did, and the second one 9.5 instead of 6. The high end is as there.
-- Base: tiny-kernels/launches.sql
INSERT INTO stack VALUES (40, 0, '/usr/lib/python3/dist-packages/jax/_src/pjit.py', 10, 'call', NULL);
INSERT INTO allocation VALUES (50000000, 1000000), (61000000, 1000000);
INSERT INTO launch SELECT id, 50000000 + (id - 1) / 4 % 2 * 1000, 61000000 FROM calls;
UPDATE operations SET grid_x = 1 + (id - 1) % 4, grid_y = 1, grid_z = 1;
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0.1475 (0.1448 to 0.163) ms, replayed 0.239 ms
tiny-kernels app.cu:40, 5 times, blocked 0.195 ms, lost 0.1475 (0.1448 to 0.163) ms
  at 0 ms for 0.039 ms: call 1 operation 4
  at 0.05 ms for 0.039 ms: call 5 operation 8
  at 0.1 ms for 0.039 ms: call 9 operation 12
not seen: buffers in one allocation: 8 40
