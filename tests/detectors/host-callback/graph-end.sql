-- A graph with a host function at its end (40 to 70 ms) is launched twice: 140 ms. With the function on a
-- thread of its own the second launch runs from 40 to 80 ms, and its function from 80 to 110. The line is
-- that of the captured call.
INSERT INTO functions VALUES (7, 'cudaLaunchHostFunc', 'host-function'), (9, 'cudaGraphLaunch', 'graph-launch');
INSERT INTO other_call VALUES
  (1, 13, NULL, 70, 0, 0), (2, 13, NULL, 71, 0, 0), (1, 13, NULL, 72, 0, 0), (7, 13, NULL, 73, 0, 0),
  (9, 13, NULL, 80, 0, 0), (9, 13, NULL, 80, 0, 0), (3, NULL, NULL, 90, 1, 140);
UPDATE calls SET correlation_id = id WHERE id <= 6;
-- Graph 1 as captured, graph 2 as instantiated; kind 0, as CUPTI 13.0 says of captured nodes.
INSERT INTO graph_nodes VALUES (101, NULL, 1, 0, 1), (102, NULL, 1, 0, 2), (103, NULL, 1, 0, 3), (104, NULL, 1, 0, 4),
  (201, 101, 2, 0, NULL), (202, 102, 2, 0, NULL), (203, 103, 2, 0, NULL), (204, 104, 2, 0, NULL);
-- Each launch (0 to 40 ms, 70 ms apart): copy in, kernel, copy out.
INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, graph_node_id,
                        name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes)
  SELECT kind, 1000000000 + (launch * 70 + start) * 1000000, 1000000000 + (launch * 70 + end) * 1000000, 0, 1, 13,
         5 + launch, node, name, copy, src, dst, 1, 1000000
  FROM (SELECT 0 launch UNION ALL SELECT 1),
       (SELECT 2 kind, 0 start, 10 end, 201 node, NULL name, 1 copy, 2 src, 3 dst
        UNION ALL SELECT 1, 10, 30, 202, 1, NULL, NULL, NULL
        UNION ALL SELECT 2, 30, 40, 203, NULL, 2, 3, 2);
INSERT INTO host_functions (start_ns, end_ns, thread_id, stream_handle, offset, correlation_id)
  VALUES (1000000000 + 40000000, 1000000000 + 70000000, 102, 1300, 4096, 4),
         (1070000000 + 40000000, 1070000000 + 70000000, 102, 1300, 4096, 4);
