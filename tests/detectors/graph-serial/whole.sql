-- Two launches of a graph (line 80), each recorded as one operation of 20 ms (STREAMTRACE_GRAPHS=whole).
-- Nothing is said of the nodes, and the report says why.
-- Base: scenes/h100.sql
INSERT INTO call VALUES
  ('cudaGraphLaunch', 13, 800, 80, 0, 0), ('cudaGraphLaunch', 13, 800, 80, 0, 0),
  ('cudaDeviceSynchronize', NULL, NULL, 90, 1, 40);
UPDATE calls SET correlation_id = id;
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id)
  SELECT 4, 1000000000 + n * 20000000, 1000000000 + (n * 20 + 20) * 1000000, 0, 1, 13, 1 + n
  FROM number WHERE n < 2;
-- Found:
wall 40 ms, overlapped 0 ms, lost 0 (0 to 0) ms, replayed 40 ms
not seen: graphs: 2
