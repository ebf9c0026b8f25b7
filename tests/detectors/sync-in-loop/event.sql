-- The host waits for an event behind the first kernel and then enqueues a copy that could have run
-- beside it. What was enqueued in the stream after the event is not waited for.
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 0, 0, 0, 30, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventRecord', 13, 77, 42, 1, 1);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('kernel', NULL, 13, 41, 2, 2, 30, 60, NULL, NULL);
INSERT INTO call (function, stream, event, line, enter, leave) VALUES
  ('cudaEventSynchronize', NULL, 77, 43, 3, 30);
INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
  ('h2d', 'pinned', 14, 44, 30, 30, 30, 70, 2000000, 52000000);
