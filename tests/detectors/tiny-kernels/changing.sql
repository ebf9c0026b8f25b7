-- As launches.sql, with another grid in each step: no two steps are the same.
-- Base: tiny-kernels/launches.sql
UPDATE operations SET grid_x = id, grid_y = 1, grid_z = 1;
-- Found:
wall 0.239 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 0.239 ms
