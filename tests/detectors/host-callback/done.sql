-- Near-miss: the next chunk is enqueued when the host function has returned: it held nothing.
INSERT INTO functions VALUES (7, 'cudaLaunchHostFunc', 'host-function');
INSERT INTO operation VALUES
  ('d2h', 'pinned', 13, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO other_call VALUES (7, 13, NULL, 81, 0, 0);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 13, 82, 40, 40, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  13, 83, 40, 40, 50, 70, NULL, NULL);
UPDATE calls SET correlation_id = 1000 + id WHERE function_id = 7;
INSERT INTO host_functions (start_ns, end_ns, thread_id, stream_handle, offset, correlation_id)
  SELECT 1010000000, 1040000000, 102, stream_handle, 4096, correlation_id FROM calls WHERE function_id = 7;
