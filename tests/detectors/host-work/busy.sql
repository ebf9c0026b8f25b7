-- States only: the host runs prepare() as in prepare.sql, but the kernels run for 9 ms, so that the GPU is never
-- idle.
-- Base: scenes/host-steps.sql
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 0, NULL);
UPDATE operations SET end_ns = start_ns + 9000000 WHERE kind = 1;
-- Found:
wall 90 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 90 ms
