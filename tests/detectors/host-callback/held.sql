-- A host function reads what came back (10 to 40 ms), and holds the next chunk of its stream: 70 ms.
-- On a thread of its own it runs beside that: the copy in from 10 to 20, the kernel from 20 to 40.
INSERT INTO operation VALUES ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call VALUES ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 0, 0, 50, 70, NULL, NULL);
INSERT INTO host_function VALUES (81, 10, 40);
-- Found:
wall 70 ms, overlapped 0 ms, lost 30 (0 to 30) ms, replayed 70 ms
host-callback app.cu:81, 1 times, blocked 30 ms, lost 30 (0 to 30) ms
  at 10 ms for 30 ms: operation 2 cause 1
