-- A chunk on each of two devices, one thread. The devices share no engine. On device 1 the second copy
-- in waits in its stream for the copy out, from 15 to 25 ms: with streams it runs behind the first one
-- from 15 to 20, and the kernel that needs it from 20 to 40, when device 0 is done, too: 10 ms less.
INSERT INTO devices (id, name, copy_engines, link_bytes_per_s) VALUES (1, 'NVIDIA H100', 3, 1);
INSERT INTO contexts VALUES (2, 1, 7);
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (2, 43, 1, 0, 4300);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 30, 0, 0,  0, 20, 1000000, 51000000),
  ('kernel', NULL,  13, 31, 0, 0, 20, 40, NULL, NULL),
  ('h2d', 'pinned', 43, 40, 0, 0,  5, 15, 3000000, 53000000),
  ('d2h', 'pinned', 43, 41, 0, 0, 15, 25, 13000000, 53000000),
  ('h2d', 'pinned', 43, 42, 0, 0, 25, 30, 4000000, 54000000),
  ('kernel', NULL,  43, 43, 0, 0, 30, 50, NULL, NULL);
UPDATE operations SET device_id = 1, context_id = 2 WHERE stream_id = 43;
-- Found:
wall 50 ms, overlapped 15 ms, lost 10 (10 to 10) ms, replayed 50 ms
device 0: 40 ms, replayed 40 ms, lost 0 ms
device 1: 45 ms, replayed 45 ms, lost 10 ms
serial-stream app.cu:42, 1 times, blocked 10 ms, lost 10 (10 to 10) ms
  at 15 ms for 10 ms: operation 5 cause 3
