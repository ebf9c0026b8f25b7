-- A run without a wait: 100 ms from the first call to the end of the last operation. The kernel
-- (10..90 ms) covers the copy to the device (20..40 ms); the copy back runs alone (90..100 ms).
INSERT INTO metadata VALUES
  ('program', '/home/user/app/overlap'), ('command_line', './overlap 1'),
  ('working_directory', '/home/user/app'), ('process_id', '4711'), ('cupti', 'on'), ('end', 'exit'),
  ('driver_version', '580.159.04'), ('tool_cpu_ns', '1500000');
INSERT INTO strings VALUES (1, '_Z4stepPf');
INSERT INTO devices (id, name, copy_engines, multiprocessors) VALUES (0, 'NVIDIA H100', 3, 132);
INSERT INTO contexts VALUES (1, 0, 7);
INSERT INTO streams (context_id, id, flag, priority, handle) VALUES (1, 13, 2, 0, 4096), (1, 14, 2, 0, 8192);
INSERT INTO threads VALUES (4711, 'overlap');
INSERT INTO functions VALUES (1, 'cudaLaunchKernel', 'launch'), (2, 'cudaMemcpyAsync', 'copy'),
  (3, 'cudaEventRecord', 'event-record'), (4, 'cudaStreamWaitEvent', 'stream-wait-event');
INSERT INTO modules VALUES (1, '/home/user/app/overlap', NULL);
INSERT INTO call_sites VALUES (1, 1), (2, 1);
INSERT INTO frames (site_id, depth, module_id, offset, function, file, line) VALUES (1, 0, 1, 4660, '_Z3runPf', '/home/user/app/overlap.cu', 12),
  (2, 0, 1, 4700, '_Z3runPf', '/home/user/app/overlap.cu', 13);
INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream,
                   site_id, correlation_id, stream_handle, object, size_bytes, copy_kind) VALUES
  (1, 4711, 1, 1000000000, 1001000000, 0, 0, 0, 1, 11, 4096, NULL, NULL, NULL),
  (2, 4711, 2, 1002000000, 1003000000, 0, 0, 0, 2, 12, 8192, NULL, 1000000, 1),
  (3, 4711, 3, 1004000000, 1005000000, 0, 0, 0, NULL, 13, 4096, 77, NULL, NULL),
  (4, 4711, 4, 1006000000, 1007000000, 0, 0, 0, NULL, 14, 8192, 77, NULL, NULL),
  (5, 4711, 2, 1008000000, 1009000000, 0, 0, 0, 2, 15, 8192, NULL, 500000, 2);
INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id,
                        name_id, copy_kind, src_kind, dst_kind, is_async, size_bytes) VALUES
  (1, 2, 1020000000, 1040000000, 0, 1, 14, 12, NULL, 1, 2, 3, 1, 1000000),
  (2, 1, 1010000000, 1090000000, 0, 1, 13, 11, 1, NULL, NULL, NULL, NULL, NULL),
  (3, 2, 1090000000, 1100000000, 0, 1, 14, 15, NULL, 2, 3, 2, 1, 500000);
INSERT INTO event_records VALUES (1, 1, 13, 5, 13, 900);
INSERT INTO synchronizations VALUES (1, 2, 1006500000, 1006600000, 1, 14, 5, 14, 900);
