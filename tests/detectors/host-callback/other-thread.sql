-- Near-miss: the host function is in the default stream of another thread (number 24): it holds nothing of
-- this one's. What is left is that the copy in waited for the copy out (0 to 10 ms). What
-- held it longer is not known: in a stream of its own it may save up to 30 ms.
INSERT INTO functions VALUES (7, 'cudaLaunchHostFunc', 'host-function');
INSERT INTO operation VALUES
  ('d2h', 'pinned', 24, 90, 0, 0, 10, 12, 15000000, 65000000);
UPDATE calls SET thread_id = 101;
INSERT INTO operation VALUES
  ('d2h', 'pinned', 23, 80, 0, 0, 0, 10, 11000000, 61000000);
INSERT INTO other_call VALUES (7, 23, NULL, 81, 0, 0);
INSERT INTO operation VALUES
  ('h2d', 'pinned', 23, 82, 0, 0, 40, 50, 1000000, 51000000),
  ('kernel', NULL,  23, 83, 0, 0, 50, 70, NULL, NULL);
UPDATE calls SET correlation_id = 1000 + id WHERE function_id = 7;
UPDATE calls SET stream_handle = 0, per_thread_stream = 1;
INSERT INTO host_functions (start_ns, end_ns, thread_id, stream_handle, offset, correlation_id)
  SELECT 1010000000, 1040000000, 102, stream_handle, 4096, correlation_id FROM calls WHERE function_id = 7;
UPDATE calls SET thread_id = 101 WHERE function_id = 7;
