-- What every hand-written trace here has, and two views to write events in one row each.
-- Times are ms from the start of the run; line is the line of app.cu that makes the call.
INSERT INTO metadata VALUES ('program', 'app'), ('cupti', 'on'), ('end', 'exit');
INSERT INTO devices (id, name, copy_engines) VALUES (0, 'NVIDIA H100', 3);
INSERT INTO contexts VALUES (1, 0, 7);
INSERT INTO strings VALUES (1, '_Z4workPf');
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES
  (1, 7, 3, 0, NULL),                       -- the legacy default stream: handle 0
  (1, 13, 1, 0, 1300), (1, 14, 1, 0, 1400), -- blocking
  (1, 23, 2, 0, 2300), (1, 24, 2, 0, 2400); -- non-blocking
INSERT INTO threads VALUES (100, 'app');
INSERT INTO functions VALUES (1, 'cudaMemcpyAsync', 'copy'), (2, '__cudaLaunchKernel', 'launch'),
  (3, 'cudaDeviceSynchronize', 'device-sync'), (4, 'cudaStreamSynchronize', 'stream-sync'),
  (5, 'cudaEventRecord', 'event-record'), (6, 'cudaEventSynchronize', 'event-sync');
INSERT INTO modules VALUES (1, 'app', NULL);
WITH RECURSIVE line(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM line WHERE n < 99)
INSERT INTO frames SELECT n, 0, 1, n, '_Z3runv', 'app.cu', n FROM line;
INSERT INTO call_sites SELECT site_id, 1 FROM frames;

-- An asynchronous operation and the call that enqueued it. what: h2d, d2h, kernel; memory: pinned or
-- pageable; host and device: addresses of 1 MB buffers, NULL for a kernel.
CREATE VIEW operation AS SELECT '' what, '' memory, 0 stream, 0 line, 0 enter, 0 leave, 0 start, 0 end,
                                0 host, 0 device WHERE 0;
CREATE TRIGGER operation_insert INSTEAD OF INSERT ON operation BEGIN
  INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream,
                     site_id, correlation_id, stream_handle, dst, src, size_bytes)
  SELECT n, 100, iif(NEW.what = 'kernel', 2, 1), 1000000000 + NEW.enter * 1000000,
         1000000000 + NEW.leave * 1000000, 0, 0, 0, NEW.line, n, iif(NEW.stream = 7, 0, NEW.stream * 100),
         iif(NEW.what = 'd2h', NEW.host, NEW.device), iif(NEW.what = 'd2h', NEW.device, NEW.host),
         iif(NEW.what = 'kernel', NULL, 1000000)
  FROM (SELECT 1 + coalesce(max(id), 0) n FROM calls);
  INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id,
                          name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes)
  SELECT iif(NEW.what = 'kernel', 1, 2), 1000000000 + NEW.start * 1000000,
         1000000000 + NEW.end * 1000000, 0, 1, NEW.stream, n, iif(NEW.what = 'kernel', 1, NULL),
         CASE NEW.what WHEN 'h2d' THEN 1 WHEN 'd2h' THEN 2 END,
         CASE NEW.what WHEN 'h2d' THEN iif(NEW.memory = 'pageable', 1, 2) WHEN 'd2h' THEN 3 END,
         CASE NEW.what WHEN 'd2h' THEN iif(NEW.memory = 'pageable', 1, 2) WHEN 'h2d' THEN 3 END,
         iif(NEW.what = 'kernel', NULL, 1), iif(NEW.what = 'kernel', NULL, 1000000)
  FROM (SELECT max(id) n FROM calls);
END;

-- A call that enqueues nothing. function: 3 device, 4 stream, 6 event synchronize, 5 event record.
CREATE VIEW other_call AS SELECT 0 function, 0 stream, 0 event, 0 line, 0 enter, 0 leave WHERE 0;
CREATE TRIGGER other_call_insert INSTEAD OF INSERT ON other_call BEGIN
  INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream,
                     site_id, stream_handle, object)
  SELECT 1 + coalesce(max(id), 0), 100, NEW.function, 1000000000 + NEW.enter * 1000000,
         1000000000 + NEW.leave * 1000000, 0, 0, 0, NEW.line,
         iif(NEW.stream = 7, 0, NEW.stream * 100), NEW.event FROM calls;
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
