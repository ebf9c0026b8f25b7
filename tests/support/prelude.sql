-- What every hand-written trace of tests/detectors has, and views to write events in one row each.
-- Times are ms from the start of the run; line is the line of app.cu that makes the call.

-- Numbers from 0 on.
CREATE TABLE number (n INTEGER PRIMARY KEY);
WITH RECURSIVE next(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM next WHERE n < 199)
  INSERT INTO number SELECT n FROM next;

INSERT INTO metadata VALUES ('program', 'app'), ('cupti', 'on'), ('end', 'exit');
-- A link of 1 byte a second is none: the rate of pinned copies is unknown where a case does not say it.
INSERT INTO devices (id, name, copy_engines, link_bytes_per_s) VALUES (0, 'NVIDIA H100', 3, 1);
INSERT INTO contexts VALUES (1, 0, 7);
INSERT INTO strings VALUES (1, '_Z4workPf');
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES
  (1, 7, 3, 0, NULL),                       -- the legacy default stream: handle 0
  (1, 13, 1, 0, 1300), (1, 14, 1, 0, 1400), -- blocking
  (1, 23, 2, 0, 2300), (1, 24, 2, 0, 2400); -- non-blocking
INSERT INTO threads VALUES (100, 'app');
INSERT INTO functions (id, name, class) VALUES
  (1, 'cudaMemcpyAsync', 'copy'), (2, '__cudaLaunchKernel', 'launch'),
  (3, 'cudaDeviceSynchronize', 'device-sync'), (4, 'cudaStreamSynchronize', 'stream-sync'),
  (5, 'cudaEventRecord', 'event-record'), (6, 'cudaEventSynchronize', 'event-sync'),
  (7, 'cudaMemcpy', 'copy'), (8, 'cudaMalloc', 'alloc'), (9, 'cudaFree', 'free'),
  (10, 'cudaFreeAsync', 'free'), (11, 'cudaStreamCreate', 'stream-create'),
  (12, 'cudaStreamWaitEvent', 'stream-wait-event'), (13, 'cudaLaunchHostFunc', 'host-function'),
  (14, 'cudaGraphLaunch', 'graph-launch'), (15, 'cudaMallocHost', 'host-alloc'),
  (16, 'cudaFreeHost', 'host-free'), (17, 'cudaHostAlloc', 'host-alloc'),
  (18, 'cuMemHostAlloc', 'host-alloc'), (19, 'cudaHostRegister', 'register'),
  (20, 'cudaHostUnregister', 'unregister'), (21, 'cudaMallocAsync', 'alloc'),
  (23, 'cudaMemset', 'set'), (24, 'cudaMemcpyPeerAsync', 'copy'),
  (25, 'cudaEventCreateWithFlags', 'event-create'),
  (26, 'cudaEventDestroy', 'event-destroy'), (27, 'cudaEventQuery', 'event-query'),
  (28, 'cudaEventElapsedTime', 'event-elapsed'), (29, 'cudaStreamDestroy', 'stream-destroy'),
  (30, 'cudaStreamQuery', 'stream-query'), (31, 'cudaStreamBeginCapture', 'graph-capture'),
  (32, 'cudaStreamEndCapture', 'graph-capture'),
  (33, 'cudaGraphInstantiateWithFlags', 'graph-instantiate'),
  (34, 'cudaGraphExecDestroy', 'graph-destroy'), (35, 'cudaGraphDestroy', 'graph-destroy'),
  (36, 'cuGraphExecKernelNodeSetParams', 'graph-update'), (37, 'cudaGraphUpload', 'graph-upload'),
  (38, 'cuGraphAddChildGraphNode', 'graph-build'), (39, 'cuGraphExecUpdate', 'graph-update');
INSERT INTO modules VALUES (1, 'app', NULL);
INSERT INTO frames (site_id, depth, module_id, offset, function, file, line)
  SELECT n, 0, 1, n, '_Z3runv', 'app.cu', n FROM number WHERE n BETWEEN 1 AND 99;
INSERT INTO call_sites SELECT site_id, 1 FROM frames;

-- From an UPDATE of it on, each row of `operation` and `call` is written so many times, so many ms apart.
CREATE TABLE rounds AS SELECT 1 times, 0 ms;

-- An asynchronous operation and the call that enqueued it. what: h2d, d2h, kernel; memory: pinned or
-- pageable; host and device: addresses of 1 MB buffers, NULL for a kernel.
CREATE VIEW operation AS SELECT '' what, '' memory, 0 stream, 0 line, 0 enter, 0 leave, 0 start, 0 end,
                                0 host, 0 device WHERE 0;
CREATE TRIGGER operation_insert INSTEAD OF INSERT ON operation BEGIN
  INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream,
                     site_id, correlation_id, stream_handle, dst, src, size_bytes)
  SELECT first + n, 100, iif(NEW.what = 'kernel', 2, 1), 1000000000 + (NEW.enter + ms * n) * 1000000,
         1000000000 + (NEW.leave + ms * n) * 1000000, 0, 0, 0, NEW.line, first + n,
         iif(NEW.stream = 7, 0, NEW.stream * 100),
         iif(NEW.what = 'd2h', NEW.host, NEW.device), iif(NEW.what = 'd2h', NEW.device, NEW.host),
         iif(NEW.what = 'kernel', NULL, 1000000)
  FROM rounds, number, (SELECT 1 + coalesce(max(id), 0) first FROM calls) WHERE n < times ORDER BY n;
  INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id,
                          name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes)
  SELECT iif(NEW.what = 'kernel', 1, 2), 1000000000 + (NEW.start + ms * n) * 1000000,
         1000000000 + (NEW.end + ms * n) * 1000000, 0, 1, NEW.stream, last - times + 1 + n,
         iif(NEW.what = 'kernel', 1, NULL),
         CASE NEW.what WHEN 'h2d' THEN 1 WHEN 'd2h' THEN 2 END,
         CASE NEW.what WHEN 'h2d' THEN iif(NEW.memory = 'pageable', 1, 2) WHEN 'd2h' THEN 3 END,
         CASE NEW.what WHEN 'd2h' THEN iif(NEW.memory = 'pageable', 1, 2) WHEN 'h2d' THEN 3 END,
         iif(NEW.what = 'kernel', NULL, 1), iif(NEW.what = 'kernel', NULL, 1000000)
  FROM rounds, number, (SELECT max(id) last FROM calls) WHERE n < times ORDER BY n;
END;

-- A chunk's copy in (10 ms), kernel (20 ms) and copy out (10 ms), from these times on, all enqueued at
-- once, in three lines from line on. Its buffers are the host's and the device's of these numbers.
CREATE VIEW chunk AS SELECT 0 host, 0 device, 0 stream, 0 line, 0 enter, 0 copy_in, 0 kernel, 0 copy_out
  WHERE 0;
CREATE TRIGGER chunk_insert INSTEAD OF INSERT ON chunk BEGIN
  INSERT INTO operation (what, memory, stream, line, enter, leave, start, end, host, device) VALUES
    ('h2d', 'pinned', NEW.stream, NEW.line, NEW.enter, NEW.enter, NEW.copy_in, NEW.copy_in + 10,
     NEW.host * 1000000, (50 + NEW.device) * 1000000),
    ('kernel', NULL, NEW.stream, NEW.line + 1, NEW.enter, NEW.enter, NEW.kernel, NEW.kernel + 20,
     NULL, NULL),
    ('d2h', 'pinned', NEW.stream, NEW.line + 2, NEW.enter, NEW.enter, NEW.copy_out, NEW.copy_out + 10,
     (10 + NEW.host) * 1000000, (60 + NEW.device) * 1000000);
END;

-- A call that enqueues nothing, by its function's name; event: of cudaEventRecord() and its like.
CREATE VIEW call AS SELECT '' function, 0 stream, 0 event, 0 line, 0 enter, 0 leave WHERE 0;
CREATE TRIGGER call_insert INSTEAD OF INSERT ON call BEGIN
  INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream,
                     site_id, stream_handle, object)
  SELECT first + n, 100, (SELECT id FROM functions WHERE name = NEW.function),
         1000000000 + (NEW.enter + ms * n) * 1000000, 1000000000 + (NEW.leave + ms * n) * 1000000, 0, 0, 0,
         NEW.line, iif(NEW.stream = 7, 0, NEW.stream * 100), NEW.event
  FROM rounds, number, (SELECT 1 + coalesce(max(id), 0) first FROM calls) WHERE n < times ORDER BY n;
END;

-- The calls of a line are this function's. Those of cudaMemcpy() name no stream and are not asynchronous.
CREATE VIEW made_by AS SELECT 0 line, '' function WHERE 0;
CREATE TRIGGER made_by_insert INSTEAD OF INSERT ON made_by BEGIN
  UPDATE calls SET function_id = (SELECT id FROM functions WHERE name = NEW.function),
    stream_handle = iif(NEW.function = 'cudaMemcpy', NULL, stream_handle) WHERE site_id = NEW.line;
  UPDATE operations SET is_async = 0 WHERE NEW.function = 'cudaMemcpy' AND correlation_id IN
    (SELECT correlation_id FROM calls WHERE site_id = NEW.line);
END;

-- The size of all copies. Where it is more than their 1 MB, their buffers lie farther apart.
CREATE VIEW copies AS SELECT 0 size WHERE 0;
CREATE TRIGGER copies_insert INSTEAD OF INSERT ON copies BEGIN
  UPDATE operations SET size_bytes = NEW.size WHERE size_bytes > 0;
  UPDATE calls SET size_bytes = NEW.size, dst = dst * max(1, NEW.size / 1000),
    src = src * max(1, NEW.size / 1000)
    WHERE size_bytes > 0;
END;

-- A run of the host function that the call of a line enqueued.
CREATE VIEW host_function AS SELECT 0 line, 0 start, 0 end WHERE 0;
CREATE TRIGGER host_function_insert INSTEAD OF INSERT ON host_function BEGIN
  UPDATE calls SET correlation_id = coalesce(correlation_id, 1000 + id) WHERE site_id = NEW.line;
  INSERT INTO host_functions (start_ns, end_ns, thread_id, stream_handle, offset, correlation_id)
  SELECT 1000000000 + NEW.start * 1000000, 1000000000 + NEW.end * 1000000, 102, stream_handle, 4096,
         correlation_id FROM calls WHERE site_id = NEW.line;
END;

-- An event that is recorded in one stream and waited for in another.
CREATE VIEW event_wait AS SELECT 0 recorded_in, 0 record_line, 0 record, 0 waited_in, 0 wait_line, 0 wait
  WHERE 0;
CREATE TRIGGER event_wait_insert INSTEAD OF INSERT ON event_wait BEGIN
  INSERT INTO call (function, stream, event, line, enter, leave) VALUES
    ('cudaEventRecord', NEW.recorded_in, 900, NEW.record_line, NEW.record, NEW.record),
    ('cudaStreamWaitEvent', NEW.waited_in, 900, NEW.wait_line, NEW.wait, NEW.wait);
  UPDATE calls SET correlation_id = 1000 + id WHERE object = 900;
  INSERT INTO event_records (context_id, stream_id, event_id, correlation_id, sync_id)
  SELECT 1, NEW.recorded_in, 5, correlation_id, 77 FROM calls WHERE site_id = NEW.record_line;
  INSERT INTO synchronizations (type, start_ns, end_ns, context_id, stream_id, event_id,
                                correlation_id, sync_id)
  SELECT 2, start_ns, end_ns, 1, NEW.waited_in, 5, correlation_id, 77
  FROM calls WHERE site_id = NEW.wait_line;
END;

-- A graph that was captured in stream 13 as copy in, kernel, copy out and host function (lines 70 to 73)
-- and is launched twice (line 80), 70 ms apart: the copy in runs from 0 to 10 ms, the kernel to 30, the
-- copy out for 10 ms from copy_out on. The host waits for the end (140 ms, line 90). Graph 1 is the
-- captured one, graph 2 what was instantiated from it.
CREATE VIEW graph_of_a_chunk AS SELECT 0 copy_node_kind, 0 function_node_kind, 0 copy_out WHERE 0;
CREATE TRIGGER graph_of_a_chunk_insert INSTEAD OF INSERT ON graph_of_a_chunk BEGIN
  INSERT INTO call (function, stream, line, enter, leave) VALUES
    ('cudaMemcpyAsync', 13, 70, 0, 0), ('__cudaLaunchKernel', 13, 71, 0, 0),
    ('cudaMemcpyAsync', 13, 72, 0, 0), ('cudaLaunchHostFunc', 13, 73, 0, 0),
    ('cudaGraphLaunch', 13, 80, 0, 0), ('cudaGraphLaunch', 13, 80, 0, 0),
    ('cudaDeviceSynchronize', NULL, 90, 1, 140);
  UPDATE calls SET correlation_id = id WHERE id <= 6;
  INSERT INTO graph_nodes (id, source_id, graph_id, kind, call_id) VALUES
    (101, NULL, 1, NEW.copy_node_kind, 1), (102, NULL, 1, 0, 2),
    (103, NULL, 1, NEW.copy_node_kind, 3), (104, NULL, 1, NEW.function_node_kind, 4);
  INSERT INTO graph_nodes (id, source_id, graph_id, kind)
    SELECT id + 100, id, 2, kind FROM graph_nodes;
  INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id,
                          graph_node_id, name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes)
  SELECT kind, 1000000000 + (launch * 70 + start) * 1000000,
         1000000000 + (launch * 70 + start + duration) * 1000000, 0, 1, 13, 5 + launch, node, name,
         copy, src, dst, 1, 1000000
  FROM (SELECT 0 launch UNION ALL SELECT 1),
       (SELECT 2 kind, 0 start, 10 duration, 201 node, NULL name, 1 copy, 2 src, 3 dst
        UNION ALL SELECT 1, 10, 20, 202, 1, NULL, NULL, NULL
        UNION ALL SELECT 2, NEW.copy_out, 10, 203, NULL, 2, 3, 2);
END;

-- What the launch of call (counted from 1) gave its kernel _Z4copyPKfPf: it reads one, writes the other.
CREATE VIEW launch AS SELECT 0 call, 0 reads, 0 writes WHERE 0;
CREATE TRIGGER launch_insert INSTEAD OF INSERT ON launch BEGIN
  INSERT OR IGNORE INTO strings VALUES (2, '_Z4copyPKfPf');
  UPDATE operations SET name_id = 2 WHERE correlation_id = NEW.call;
  UPDATE calls SET arguments_id = NEW.call WHERE id = NEW.call;
  INSERT INTO launch_arguments VALUES (NEW.call, 0, 0, 0, NEW.reads), (NEW.call, 1, 1, 0, NEW.writes);
END;
-- Device memory that was there from the start.
CREATE VIEW allocation AS SELECT 0 address, 0 size WHERE 0;
CREATE TRIGGER allocation_insert INSTEAD OF INSERT ON allocation BEGIN
  INSERT INTO allocations (time_ns, is_release, memory_kind, address, size_bytes)
  VALUES (1, 0, 3, NEW.address, NEW.size);
END;

-- When the host first touched what the copy of call brought: a wait that returned at `wait` covered it;
-- kind as in the schema, touch NULL where it did not; line: of the touch. bytes of 1 MB were watched.
CREATE VIEW first_use AS SELECT 0 call, 0 wait, 0 kind, 0 touch, 0 line, 0 bytes WHERE 0;
CREATE TRIGGER first_use_insert INSTEAD OF INSERT ON first_use BEGIN
  INSERT INTO first_uses
  SELECT NULL, NEW.call, dst, NEW.bytes, 1000000000 + NEW.wait * 1000000, 100, NEW.kind,
         1000000000 + NEW.touch * 1000000, 100, dst, NEW.line FROM calls WHERE id = NEW.call;
END;

-- The host's memory of the copy of call was watched: side is 'source' or 'result'. The watch ended in this way
-- (facts/first_use_kinds.def) at end, by the thread; line is the touch's.
CREATE VIEW copy_watch AS SELECT 0 call, '' side, 0 kind, 0 end, 0 thread, 0 line WHERE 0;
CREATE TRIGGER copy_watch_insert INSTEAD OF INSERT ON copy_watch BEGIN
  INSERT INTO copy_watches
  SELECT NULL, NEW.call, NEW.side = 'source', dst, size_bytes, start_ns, NEW.kind, 1000000000 + NEW.end * 1000000,
         NEW.thread, dst, NEW.line FROM calls WHERE id = NEW.call;
END;

-- What looks found thread (100 is the one that makes the calls) doing from start to end: state as in
-- facts/host_states.def; site: of its stack, or NULL; ready: ms without a processor; faults and name as in the schema.
CREATE VIEW host_state AS SELECT 0 thread, '' state, 0 site, 0 start, 0 end, 0 ready, 0 faults, '' name WHERE 0;
CREATE TRIGGER host_state_insert INSTEAD OF INSERT ON host_state BEGIN
  INSERT OR IGNORE INTO threads VALUES (NEW.thread, NULL);
  INSERT OR IGNORE INTO strings (text) SELECT NEW.name WHERE NEW.name IS NOT NULL;
  INSERT INTO host_states (thread_id, start_ns, end_ns, state, looks, ready_ns, faults, site_id, object_id)
  SELECT NEW.thread, 1000000000 + (NEW.start + ms * n) * 1000000, 1000000000 + (NEW.end + ms * n) * 1000000,
         CASE NEW.state WHEN 'running' THEN 0 WHEN 'asleep' THEN 1 WHEN 'waiting for a thread' THEN 2
           WHEN 'waiting for the interpreter' THEN 3 WHEN 'waiting for input' THEN 4
           WHEN 'waiting for a child' THEN 5 WHEN 'in the driver' THEN 6 WHEN 'in the kernel' THEN 7
           WHEN 'collecting garbage' THEN 8 WHEN 'stopped with its process' THEN 9 END,
         2, NEW.ready * 1000000, NEW.faults, NEW.site, (SELECT id FROM strings WHERE text = NEW.name)
  FROM rounds, number WHERE n < times ORDER BY n;
END;

-- A frame of a stack: of Python's code, or where `module` is not NULL of native code; depth 0 is the innermost.
CREATE VIEW stack AS SELECT 0 site, 0 depth, '' file, 0 line, '' function, '' module WHERE 0;
CREATE TRIGGER stack_insert INSTEAD OF INSERT ON stack BEGIN
  INSERT OR IGNORE INTO call_sites VALUES (NEW.site, 0);
  INSERT INTO modules SELECT (SELECT max(id) + 1 FROM modules), NEW.module, NULL
    WHERE NEW.module IS NOT NULL AND NOT EXISTS (SELECT 1 FROM modules WHERE path = NEW.module);
  INSERT INTO python_frames (site_id, depth, file, line, function)
    SELECT NEW.site, NEW.depth, NEW.file, NEW.line, NEW.function WHERE NEW.module IS NULL;
  INSERT OR REPLACE INTO frames (site_id, depth, module_id, offset, function, file, line)
    SELECT NEW.site, NEW.depth, id, 1000 + coalesce(NEW.line, 0), NEW.function, NEW.file, NEW.line
    FROM modules WHERE path = NEW.module;
  UPDATE call_sites SET depth = (SELECT count(*) FROM frames WHERE site_id = NEW.site) WHERE id = NEW.site;
END;
