-- As prepare.sql, but only three of the gaps have work of a line: three times are start-up.
-- Base: scenes/host-steps.sql
UPDATE rounds SET times = 3;
INSERT INTO host_state VALUES (100, 'running', 100, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
