-- Near-miss: the host relies on cudaFree to wait, and has 5 ms to read what came back before it
-- enqueues more. The wait counts as needed, and the report says so.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL,  13, 72, 0, 0,  0, 30, NULL, NULL),
  ('d2h', 'pinned', 13, 73, 0, 0, 30, 40, 11000000, 61000000);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaFree', NULL, NULL, 74, 1, 40);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 14, 72, 45, 45, 45, 65, NULL, NULL);
