-- Four tiles through one device buffer, in place: copied in (10 ms, stream 13), computed (20 ms, stream 23),
-- copied out (10 ms, stream 24). Each copy in waits, by an event, for the copy out before it: 4 x 40 = 160 ms.
-- With two buffers the kernels follow each other: 10 + 4 x 20 + 10 = 100 ms.
INSERT INTO metadata VALUES ('event_waits', 'calls');
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 21, 0, 0, 0, 10, 1000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 13, 1, 22, 0.125, 0.125), ('cudaStreamWaitEvent', 23, 1, 23, 0.25, 0.25);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 23, 24, 0.375, 0.375, 10, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 23, 2, 25, 0.5, 0.5), ('cudaStreamWaitEvent', 24, 2, 26, 0.625, 0.625);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 24, 27, 0.75, 0.75, 30, 40, 11000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaEventRecord', 24, 3, 28, 0.875, 0.875);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaStreamWaitEvent', 13, 3, 20, 1, 1);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 21, 1.125, 1.125, 40, 50, 2000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 13, 1, 22, 1.25, 1.25), ('cudaStreamWaitEvent', 23, 1, 23, 1.375, 1.375);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 23, 24, 1.5, 1.5, 50, 70, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 23, 2, 25, 1.625, 1.625), ('cudaStreamWaitEvent', 24, 2, 26, 1.75, 1.75);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 24, 27, 1.875, 1.875, 70, 80, 12000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaEventRecord', 24, 3, 28, 2, 2);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaStreamWaitEvent', 13, 3, 20, 2.125, 2.125);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 21, 2.25, 2.25, 80, 90, 3000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 13, 1, 22, 2.375, 2.375), ('cudaStreamWaitEvent', 23, 1, 23, 2.5, 2.5);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 23, 24, 2.625, 2.625, 90, 110, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 23, 2, 25, 2.75, 2.75), ('cudaStreamWaitEvent', 24, 2, 26, 2.875, 2.875);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 24, 27, 3, 3, 110, 120, 13000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaEventRecord', 24, 3, 28, 3.125, 3.125);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaStreamWaitEvent', 13, 3, 20, 3.25, 3.25);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 13, 21, 3.375, 3.375, 120, 130, 4000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 13, 1, 22, 3.5, 3.5), ('cudaStreamWaitEvent', 23, 1, 23, 3.625, 3.625);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 23, 24, 3.75, 3.75, 130, 150, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 23, 2, 25, 3.875, 3.875), ('cudaStreamWaitEvent', 24, 2, 26, 4, 4);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('d2h', 'pinned', 24, 27, 4.125, 4.125, 150, 160, 14000000, 51000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES ('cudaEventRecord', 24, 3, 28, 4.25, 4.25);
INSERT INTO allocation (address, size) VALUES (51000000, 1000000);
INSERT INTO launch (call, reads, writes) VALUES
  (4, 51000000, 51000000),
  (13, 51000000, 51000000),
  (22, 51000000, 51000000),
  (31, 51000000, 51000000);
