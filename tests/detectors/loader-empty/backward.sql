-- As condition.sql, but the threads that make the calls are at work meanwhile: line 43 waits for them, as a backward pass
-- does, and no worker can do their work. Nothing is found.
-- Base: scenes/host-executor.sql
UPDATE host_states SET state = 0 WHERE thread_id IN (300, 301);
INSERT INTO stack VALUES (103, 0, '/home/u/train.py', 43, 'main', NULL);
INSERT INTO host_state VALUES (100, 'waiting for a thread', 103, 1, 10, 0, 0, NULL);
-- Found:
wall 83 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 83 ms
