-- The kernel of line 63 is the first that takes local memory: its launch waits until the GPU is idle (from 1
-- to 30 ms), and makes room for 2 ms more. Only then the host enqueues a copy in of 40 ms, and its kernel:
-- 82 ms. Without the wait the copy runs from 1 to 41, beside the kernels, and the run ends at 51. Where the
-- launch makes room all the same, without waiting, it ends at 53.
INSERT INTO operation VALUES
  ('kernel', NULL, 13, 61, 0,  0,  0, 10, NULL, NULL),
  ('kernel', NULL, 14, 62, 0,  0,  10, 30, NULL, NULL),
  ('kernel', NULL, 13, 63, 1, 32, 32, 42, NULL, NULL),
  ('h2d', 'pinned', 23, 64, 32, 32, 32, 72, 1000000, 51000000),
  ('kernel', NULL, 23, 65, 32, 32, 72, 82, NULL, NULL);
UPDATE operations SET local_bytes_per_thread = 4096 WHERE id = 3;
INSERT INTO strings SELECT 10 + id, '_Z5frame' || id || 'Pf' FROM operations;
UPDATE operations SET name_id = 10 + id WHERE kind = 1;
-- Found:
wall 82 ms, overlapped 10 ms, lost 31 (29 to 31) ms, replayed 82 ms
stack-resize app.cu:63, 1 times, blocked 31 ms, lost 31 (29 to 31) ms
  at 1 ms for 31 ms: call 3 operation 3 cause 2, unexplained 31 ms
