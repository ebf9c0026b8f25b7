-- As child.sql, but the thread is in the driver for all of the 10 ms: that is the driver's, which no line can change.
-- Base: scenes/host-steps.sql
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'in the driver', 103, 0, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
