-- The same weights for two kernels in two streams, which an event put behind their copy in; each has
-- its chunk. The second kernel waits in its stream for the copy in of a third chunk, which it does not
-- read: its engine is free from 20 ms, and it is held to 50. The weights are only read, so the kernels do not wait for each
-- other.
INSERT INTO functions VALUES (20, 'cudaStreamWaitEvent', 'stream-wait-event');
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000), (53000000, 1000000),
  (61000000, 1000000), (62000000, 1000000);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 30, 0, 0,  0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 24, 31, 2, 2, 10, 20, 2000000, 52000000),
  ('h2d', 'pinned', 24, 32, 2, 2, 20, 50, 3000000, 53000000),
  ('kernel', NULL,  23, 33, 3, 3, 10, 20, NULL, NULL),
  ('kernel', NULL,  24, 34, 3, 3, 50, 70, NULL, NULL);
INSERT INTO launch VALUES (4, 51000000, 61000000), (5, 51000000, 62000000);
INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream,
                   stream_handle, object, correlation_id) VALUES
  (6, 100, 5, 1001000000, 1001000000, 0, 0, 0, 2300, 900, 906),
  (7, 100, 20, 1001500000, 1001500000, 0, 0, 0, 2400, 900, 907);
INSERT INTO event_records VALUES (1, 1, 23, 5, 906, 77);
INSERT INTO synchronizations VALUES (1, 2, 1001500000, 1001500000, 1, 24, 5, 907, 77);
