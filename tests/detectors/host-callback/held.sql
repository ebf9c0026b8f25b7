-- A host function reads what came back (10 to 40 ms), and holds the next chunk of its stream: 70 ms.
-- On a thread of its own it runs beside that: the copy in from 10 to 20, the kernel from 20 to 40.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaLaunchHostFunc', 13, NULL, 81, 0, 0);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 0, 0, 50, 70, NULL, NULL);
INSERT INTO host_function (line, start, end) VALUES (81, 10, 40);
