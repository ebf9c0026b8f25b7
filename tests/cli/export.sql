-- Two copies and a kernel in two streams, an event between them, a wait for all at the end; names that a
-- spreadsheet, a page or a parser could take for something else.
INSERT INTO metadata VALUES ('program', '=cmd|'' /C calc''!A0'), ('process_id', '4711'), ('rank', '3'),
  ('event_waits', 'calls'), ('events', 'all'), ('cupti', 'on'), ('end', 'exit'), ('launch_arguments', 'on');
INSERT INTO functions VALUES (1, 'cudaMemcpyAsync', 'copy'), (2, 'cudaEventRecord', 'event-record'),
  (3, 'cudaStreamWaitEvent', 'stream-wait-event'), (4, '__cudaLaunchKernel', 'launch'),
  (5, 'cudaDeviceSynchronize', 'device-sync'), (6, 'cuEventSynchronize', 'event-sync');
INSERT INTO strings VALUES (1, '@<script>"\' || char(10) || '</script>');
INSERT INTO devices (id, name, compute_capability_major, multiprocessors) VALUES (0, '+GPU "one"', 9, 4);
INSERT INTO contexts VALUES (1, 0, 7);
INSERT INTO streams VALUES (1, 7, 3, 0, NULL, NULL, NULL), (1, 13, 1, 0, 1300, NULL, NULL),
  (1, 14, 2, 0, 1400, NULL, NULL);
INSERT INTO modules VALUES (1, '/opt/-app', NULL);
INSERT INTO call_sites VALUES (1, 1), (2, 1);
INSERT INTO frames (site_id, depth, module_id, offset, function, file, line) VALUES
  (1, 0, 1, 64, 'main', '/src/@app.cu', 12), (2, 0, 1, 96, NULL, NULL, NULL);
INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id,
  correlation_id, stream_handle, object, size_bytes, context_id) VALUES
  (1, 21, 1, 5000000000, 5000000100, 0, 0, 0, 1, 31, 1300, NULL, 4096, NULL),
  (2, 21, 2, 5000000110, 5000000120, 0, 0, 0, 1, NULL, 1300, 99, NULL, 1),
  (3, 21, 3, 5000000130, 5000000140, 0, 0, 0, 2, NULL, 1400, 99, NULL, 1),
  (4, 21, 4, 5000000150, 5000000250, 0, 0, 0, 2, 34, 1400, NULL, NULL, NULL),
  (5, 22, 6, 5000000160, 5000004110, 0, 1, 0, NULL, NULL, NULL, 99, NULL, 1),
  (6, 21, 1, 5000000300, 5000000400, 0, 0, 0, 1, 36, 1400, NULL, 2048, NULL),
  (7, 21, 5, 5000000450, 5000009100, 0, 0, 0, 1, NULL, NULL, NULL, NULL, 1);
INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id,
  grid_x, grid_y, grid_z, block_x, block_y, block_z, registers_per_thread, static_shared_bytes,
  dynamic_shared_bytes) VALUES
  (2, 1, 5000004200, 5000007000, 0, 1, 14, 34, 1, 8, 2, 1, 64, 1, 1, 32, 128, 64);
INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, copy_kind,
  src_kind, dst_kind, is_async, size_bytes) VALUES
  (1, 2, 5000000090, 5000004100, 0, 1, 13, 31, 1, 2, 3, 1, 4096),
  (3, 2, 5000007010, 5000009000, 0, 1, 14, 36, 2, 3, 2, 1, 2048);
INSERT INTO strings VALUES (2, '=range "1"'), (3, 'epoch'), (4, 'train');
INSERT INTO nvtx_ranges VALUES (1, 1, 21, 4999999900, 5000009200, 21, 3, 4, 4281545523),
  (2, 1, 21, 5000000100, 5000000260, 21, 2, NULL, NULL), (3, 0, 21, 5000000200, 5000000500, 23, 2, 4, NULL),
  (4, 1, 23, 5000000600, NULL, NULL, NULL, NULL, NULL);
