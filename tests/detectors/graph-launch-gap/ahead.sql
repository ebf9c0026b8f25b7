-- Near-miss: as shapes.sql, but each launch comes while the kernels of the one before run: the upload is in nobody's
-- way.
-- Base: graph-launch-gap/shapes.sql
UPDATE operations SET start_ns = start_ns + 6000000, end_ns = end_ns + 6000000;
DELETE FROM calls WHERE site_id = 77;
-- Found:
wall 71 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 71 ms
