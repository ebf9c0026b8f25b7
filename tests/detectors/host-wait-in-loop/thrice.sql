-- As sleep.sql, but three times instead of eight.
-- Base: scenes/host-steps.sql
UPDATE rounds SET times = 3;
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'asleep', 103, 4, 9, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
