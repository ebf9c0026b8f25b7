-- As branches.sql, but the second node is the independent one, of 20 ms, and the third and fourth take 5 ms each: it
-- starts only 10 ms earlier, but those behind it 20 ms. 2 x 20 ms instead of 2 x 40, as if it had come last.
-- Base: graph-serial/branches.sql
UPDATE launch_arguments SET address = CASE WHEN id = 3 THEN 52000000 ELSE 51000000 END;
UPDATE operations SET
  start_ns = start_ns + CASE graph_node_id WHEN 204 THEN 10000000 WHEN 205 THEN 5000000 ELSE 0 END,
  end_ns = end_ns + CASE graph_node_id WHEN 203 THEN 10000000 WHEN 204 THEN 5000000 ELSE 0 END;
-- Found:
wall 80 ms, overlapped 0 ms, lost 40 (40 to 40) ms, replayed 80 ms
graph-serial app.cu:72, 2 times, blocked 20 ms, lost 40 (40 to 40) ms
  at 0 ms for 10 ms: operation 2 cause 1
  at 40 ms for 10 ms: operation 6 cause 5
