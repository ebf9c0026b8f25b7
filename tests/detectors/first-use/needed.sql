-- Near-miss: the host reads the result 2 ms after the wait, and only then enqueues the next work. Nothing
-- is in doubt, so nothing is said.
-- Base: sync-in-loop/read.sql
INSERT INTO first_use VALUES (3, 40, 1, 42, 90, 1000000), (7, 85, 0, NULL, NULL, 1000000);
-- Found:
wall 85 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 85 ms
