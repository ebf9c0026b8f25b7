-- The last host function (70 to 100 ms) delays nothing but the synchronize at the end. The first one (10
-- to 40 ms) delays the kernel of line 82, whose engine is free from 30 ms on. With the function on a thread
-- of its own the kernel can run from 10 ms on, when that of line 86 is ready too. Either can go first: with
-- the kernel of line 82 first the run ends with the last function at 70 ms, with the other at 90. These
-- 30 ms are more than what the engine was free while the function ran, and more than what 40 ms of kernels
-- and the copy leave of the time to the last operation (70 ms). The kernel of line 82 then waits for the
-- D2H copy before it: in a stream of its own it runs from 0 ms, and the last function again ends at 70.
INSERT INTO operation VALUES ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call VALUES ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation VALUES
  ('kernel', NULL,  13, 82, 0, 0, 40, 60, NULL, NULL),
  ('d2h', 'pinned', 13, 83, 0, 0, 60, 70, 12000000, 61000000);
INSERT INTO call VALUES ('cudaLaunchHostFunc', 13, NULL, 84, 0, 0);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 14, 85, 0, 0,  0, 10, 1000000, 51000000),
  ('kernel', NULL,  14, 86, 0, 0, 10, 30, NULL, NULL);
INSERT INTO call VALUES ('cudaDeviceSynchronize', NULL, NULL, 87, 1, 100);
INSERT INTO host_function VALUES (81, 10, 40), (84, 70, 100);
-- Found:
wall 100 ms, overlapped 10 ms, lost 30 (30 to 30) ms, replayed 100 ms
host-callback app.cu:81, 1 times, blocked 10 ms, lost 10 (0 to 10) ms
  at 30 ms for 10 ms: operation 4 cause 1
serial-stream app.cu:82, 1 times, blocked 10 ms, lost 20 (20 to 20) ms, with the others fixed
  at 0 ms for 10 ms: operation 4 cause 1
