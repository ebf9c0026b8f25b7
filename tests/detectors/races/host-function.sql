-- A host function fills the source of a copy behind it, and reads the result of one before it: its stream orders both. Another
-- thread that writes meanwhile may be told to by the host function: possible.
INSERT INTO allocation VALUES (51000000, 1000000), (52000000, 1000000);
INSERT INTO operation VALUES
  ('d2h', 'pinned', 23, 30, 0, 0, 0, 10, 1000000, 51000000),
  ('h2d', 'pinned', 23, 32, 1, 1, 15, 20, 2000000, 52000000),
  ('h2d', 'pinned', 23, 33, 1, 1, 20, 25, 3000000, 52000000);
INSERT INTO host_functions (start_ns, end_ns, thread_id, stream_handle, offset, correlation_id)
  VALUES (1010000000, 1015000000, 300, 2300, 0, 99);
INSERT INTO copy_watch VALUES
  (1, 'result', 1, 12, 300, 40), (2, 'source', 2, 12, 300, 41), (3, 'source', 2, 12, 100, 42);
-- Found:
possible, 1 times: cudaMemcpyAsync at app.cu:33 reads, host at line 42 writes, -13 ms apart
unseen: launch arguments are not recorded
