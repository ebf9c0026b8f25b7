-- Rows in every table, behind tests/cli/overlap.sql: what a fuzzer changes the cells of. Blocks are those of
-- tests/unit/call_blocks_test.c and operation_blocks_test.c.
INSERT INTO metadata VALUES ('rank', '1'), ('ranks', '2'), ('host', 'node1'), ('run', 'slurm:17'),
  ('traced_by', 'node1.4711.1'), ('start_ns', '1000000000'), ('end_ns', '1110000000'), ('launch_arguments', 'on'),
  ('managed_memory', 'on'), ('pinned_h2d_bytes_per_s', '25000000000'), ('pinned_h2d_latency_ns', '1500'),
  ('boot_id', '5f9b1c1e'), ('event_waits', 'calls'), ('events', 'all');
INSERT INTO strings VALUES (20, 'epoch 1'), (21, 'train'),
  (22, '_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL4args'), (23, '_ZN2cv5cudev1fIJiEEEvDpT_');
INSERT INTO thread_times VALUES (1, 4711, 1000000000, 1050000000, 20000000, 1000000, 7),
  (2, 4711, 1050000000, 1100000000, 10000000, 0, 3);
INSERT INTO functions VALUES (10, 'cudaStreamSynchronize', 'stream-sync'), (11, 'cudaLaunchHostFunc', 'host-function'),
  (12, 'cudaMallocAsync', 'alloc'), (13, 'cudaGraphLaunch', 'graph-launch'), (14, 'cudaMemPrefetchAsync', 'other');
INSERT INTO modules VALUES (2, '/usr/lib/libtorch.so', 'ab12');
INSERT INTO call_sites VALUES (10, 2), (11, 1);
INSERT INTO frames VALUES (10, 0, 2, 4096, '_ZN2at6nativeL4fillEv', '/src/fill.cu', 31, 'thrust::fill', 1),
  (10, 1, 1, 4800, 'main', '/home/user/app/overlap.cu', 40, NULL, NULL), (11, 0, 2, 8192, NULL, NULL, NULL, NULL, NULL);
INSERT INTO python_frames VALUES (10, 0, '/home/user/app/train.py', 12, 'step'), (10, 1, '/home/user/app/train.py', 90, '<module>');
INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id,
  correlation_id, stream_handle, object, dst, src, size_bytes, copy_kind, arguments_id, numbers, context_id) VALUES
  (6, 4711, 10, 1009500000, 1100100000, 0, 0, 0, 10, 16, 8192, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1),
  (7, 4711, 11, 1100200000, 1100300000, 0, 0, 0, 11, 17, 4096, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1),
  (8, 4711, 12, 1100400000, 1100500000, 0, 1, 0, 10, 18, 4096, NULL, 1048576, NULL, 65536, NULL, NULL, NULL, 1),
  (9, 4711, 13, 1100600000, 1100700000, 700, 1, 1, 10, 19, 4096, 55, NULL, NULL, NULL, NULL, 7, 3, 1);
INSERT INTO kernel_configurations VALUES (5, 20, 2, 3, 4, 32, 2, 1, 40, 16, 8, 0), (6, 22, 1, 1, 1, 512, 1, 1, 96, 0, 0, 0);
INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, graph_node_id,
  channel_id, channel_type, name_id, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers_per_thread,
  static_shared_bytes, dynamic_shared_bytes, local_bytes_per_thread) VALUES
  (4, 1, 1101000000, 1104000000, 0, 1, 13, 19, 301, 1, 1, 22, 1, 1, 1, 512, 1, 1, 96, 0, 0, 0),
  (5, 1, 1104000000, 1106000000, 0, 1, 13, 19, 302, 1, 1, 23, 8, 1, 1, 64, 1, 1, 16, 0, 128, 8);
INSERT INTO call_blocks VALUES (20, 77, 3, X'02018C090002010001AC0201D00F050EB10106C80102020313AC02800201010000012001');
INSERT INTO operation_blocks VALUES (20, 3, X'000301030F00000000000000000B0000D00F3212030501030F05050305070300000009C9010213000138010418');
INSERT INTO launch_arguments VALUES (7, 0, 0, 0, 1048576), (7, 1, 1, 8, 2097152);
INSERT INTO argument_blocks VALUES (300, 2, 3, X'020080010D088040010007');
INSERT INTO correlations VALUES (40, 9);
INSERT INTO graph_nodes VALUES (301, NULL, 55, 1, 9), (302, 301, 55, 1, 9);
INSERT INTO graph_edges VALUES (301, 302, 0, 0), (302, 301, 256, 0), (301, 303, 1, 1);
INSERT INTO host_functions VALUES (1, 1100800000, 1100900000, 4712, 4096, 1, 5000, 17);
INSERT INTO allocations VALUES (1, 999000000, 0, 3, 1048576, 1000000, 0, 1, NULL, NULL),
  (2, 999500000, 0, 2, 2097152, 500000, NULL, NULL, NULL, NULL), (3, 1108000000, 1, 3, 1048576, 1000000, 0, 1, NULL, NULL);
INSERT INTO nvtx_ranges VALUES (1, 1, 4711, 990000000, 1100000000, 4711, 20, 21, 255),
  (2, 1, 4711, 1002000000, 1005000000, 4711, NULL, NULL, NULL), (3, 0, 4711, 1004000000, NULL, NULL, 20, NULL, NULL);
INSERT INTO clock_reads VALUES (1, 4711, 1000500000, 1), (2, 4711, 1009200000, 2);
INSERT INTO communicators VALUES (1, '0123456789abcdef', 1, 2, 0, 900000000, NULL);
INSERT INTO collectives VALUES (1, 1, 0, 1, 1000000, 7, NULL, 4096, 4711, 1100600000, 1100650000, 1, 10),
  (2, 1, 1, 5, 64, 7, 0, 4096, 4711, 1100660000, 1100690000, NULL, 10);
INSERT INTO collective_groups VALUES (1, 1100590000, 1100655000);
INSERT INTO managed_memory VALUES (1, 1, 1030000000, 1031000000, NULL, 0, 4194304, 65536, 1),
  (2, 3, 1032000000, NULL, 0, NULL, 4194304, 2, 0);
INSERT INTO memory_pools VALUES (1, 1000100000, 1, 1, 0, 8388608, 1000000, 500000, 0, 0, 18),
  (2, 1100450000, 2, 1, 0, 8388608, 2000000, 0, 0, 1000, 18);
INSERT INTO windows VALUES (1, 990000000, 1080000000, 'start'), (2, 1085000000, NULL, 'signal');
INSERT INTO incidents VALUES (1, 'slow-step', 1108000000, 7, 20000000, 6, NULL, NULL, NULL, NULL, 1108100000, 1109000000),
  (2, 'hang', 1108500000, 8, 20000000, 0, 4711, 10, 1108050000, 10, NULL, NULL);
INSERT INTO steps VALUES (6, 4711, 990000000, 1010000000, 'step', 'normal', 0), (7, 4711, 1010000000, 1108000000, 'step', 'slow', 65536),
  (8, 4711, 1108000000, NULL, 'step', 'after', NULL);
INSERT INTO trials VALUES (1, 1, 'free-sync', 'app.cu:40', 'held-free', 'saves', 'saves 9.00 ms', 8000000, 10000000, 12000000, 8500000, 9000000, 9500000),
  (2, 2, 'pageable-copy', 'app.cu:12', 'pinned-ring', 'failed', 'no saving is claimed', 1, 2, 3, NULL, NULL, NULL);
INSERT INTO first_uses VALUES (1, 15, 2097152, 500000, 1100100000, 4711, 1, 1100150000, 4711, 2097200, 10),
  (2, 15, 2097152, 500000, NULL, NULL, 2, NULL, NULL, NULL, NULL);
INSERT INTO copy_watches VALUES (1, 15, 0, 2097152, 500000, 1100100000, 1, 1100150000, 4711, 2097200, 10),
  (2, 15, 1, 2097152, 4096, 1100100000, 7, 1100200000, 4711, NULL, NULL);
INSERT INTO code_images VALUES (1, CAST('.address_size 64 .entry copy(.param .u64 p) { ret; }' AS BLOB)),
  (2, X'7F454C46020101002E746578742E636F707900'), (3, X'50ED55BA01001000');
INSERT INTO overheads VALUES (1, 1, 1000000000, 1000400000, 4711), (2, 2, 1105000000, 1105100000, NULL);
INSERT INTO tool_costs VALUES ('launch', 0, 100, 20000, 10000, 5000), ('copy', 1, 10, 3000, 1000, 500);
INSERT INTO losses VALUES (1, 'ring-overflow', 3, 1050000000, 4711, 'why'), (2, 'operation-untimed', 1, 1060000000, NULL, NULL);
INSERT INTO clock_samples VALUES (1000000000, 5000000000), (1100000000, 5100000000);
