-- A trace of ours written as Nsight Systems' SQLite export: its tables, with its names and meanings, in the
-- main database, from the trace, which is attached. `nsys stats`, `nsys analyze` and other readers of such
-- files take it.
--
-- export/nsys_file.c has made, all temporary:
--   our_TABLE         each table of preload/schema.sql that is read here, with all columns of this version;
--                     our_calls has the calls that are stored as bytes, too
--   names             text, demangled, short: of each mangled name
--   facts             one row: origin_ns (their times count from there), last_ns (when the last call or
--                     operation ended), schema
--
-- Their correlation id is our call's id: one call of ours can have several.

CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL,
  mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL,
  gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL,
  blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
  dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL,
  localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER,
  graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER, qmdBulkReleaseDone INTEGER, qmdPreexitDone INTEGER,
  qmdLastCtaDone INTEGER, graphId INTEGER, clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER,
  clusterSchedulingPolicy INTEGER, maxPotentialClusterSize INTEGER, maxActiveClusters INTEGER,
  sharedMemoryRequestedPercentage INTEGER, tensorSizeMinusOneElements TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL,
  deprecatedSrcId INTEGER, srcKind INTEGER, dstKind INTEGER, srcDeviceId INTEGER, srcContextId INTEGER,
  dstDeviceId INTEGER, dstContextId INTEGER, migrationCause INTEGER, graphNodeId INTEGER,
  virtualAddress INTEGER, copyCount INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL, bytes INTEGER NOT NULL,
  graphNodeId INTEGER, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, graphId INTEGER, graphExecId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, deprecatedSyncType INTEGER, syncType INTEGER NOT NULL,
  eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL,
  returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (timestamp INTEGER, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
  globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, nameId INTEGER,
  overheadType INTEGER NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, "end" INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER,
  category INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER,
  domainId INTEGER, uint64Value INTEGER, int64Value INTEGER, doubleValue REAL, uint32Value INTEGER,
  int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT, binaryData TEXT);
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, hwId INTEGER NOT NULL,
  vmId INTEGER NOT NULL, processId INTEGER NOT NULL, contextId INTEGER NOT NULL, priority INTEGER NOT NULL,
  flag INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT,
  systemClockNs INTEGER);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER NOT NULL, duration INTEGER NOT NULL,
  startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, busLocation TEXT,
  isDiscrete INTEGER, l2CacheSize INTEGER, totalMemory INTEGER, memoryBandwidth INTEGER, clockRate INTEGER,
  smCount INTEGER, pwGpuId INTEGER, uuid TEXT, luid INTEGER, chipName TEXT, cuDevice INTEGER,
  ctxswDevPath TEXT, ctrlDevPath TEXT, revision INTEGER, nodeMask INTEGER, constantMemory INTEGER,
  maxIPC INTEGER, maxRegistersPerBlock INTEGER, maxShmemPerBlock INTEGER, maxShmemPerBlockOptin INTEGER,
  maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, threadsPerWarp INTEGER, asyncEngines INTEGER,
  maxWarpsPerSm INTEGER, maxBlocksPerSm INTEGER, maxThreadsPerBlock INTEGER, maxBlockDimX INTEGER,
  maxBlockDimY INTEGER, maxBlockDimZ INTEGER, maxGridDimX INTEGER, maxGridDimY INTEGER, maxGridDimZ INTEGER,
  computeMajor INTEGER, computeMinor INTEGER, smMajor INTEGER, smMinor INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL,
  uuid TEXT, numMultiprocessors INTEGER);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER NOT NULL, hwId INTEGER NOT NULL,
  vmId INTEGER NOT NULL, processId INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL,
  parentContextId INTEGER, isGreenContext INTEGER, numMultiprocessors INTEGER);
-- Made from sizes and names that do not change with the trace.
CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEM_KIND (id, label) VALUES (0, 'Pageable'), (1, 'Pinned'), (2, 'Device'),
  (3, 'Array'), (4, 'Managed'), (5, 'Device Static'), (6, 'Managed Static'), (7, 'Unknown');
CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_MEMCPY_OPER (id, label) VALUES (0, 'Unknown'), (1, 'Host-to-Device'),
  (2, 'Device-to-Host'), (3, 'Host-to-Array'), (4, 'Array-to-Host'), (5, 'Array-to-Array'),
  (6, 'Array-to-Device'), (7, 'Device-to-Array'), (8, 'Device-to-Device'), (9, 'Host-to-Host'),
  (10, 'Peer-to-Peer'), (11, 'Unified Host-to-Device'), (12, 'Unified Device-to-Host'),
  (13, 'Unified Device-to-Device');
CREATE TABLE ENUM_CUPTI_SYNC_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_SYNC_TYPE (id, label) VALUES (0, 'Unknown'), (1, 'Event sync'),
  (2, 'Stream wait sync'), (3, 'Stream sync'), (4, 'Context sync');
CREATE TABLE ENUM_CUPTI_STREAM_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_STREAM_TYPE (id, label) VALUES (0, 'Unknown stream type'), (1, 'Default stream'),
  (2, 'Non-blocking stream'), (3, 'Null stream');
CREATE TABLE ENUM_CUPTI_OVERHEAD_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUPTI_OVERHEAD_TYPE (id, label) VALUES (0, 'Undefined'), (1, 'Unknown'),
  (2, 'Driver JIT compiler (CUDA)'), (3, 'Buffer flush (Profiler)'), (4, 'Instrumentation (Profiler)'),
  (5, 'Resource creation/destruction (Profiler)'), (6, 'Runtime module loading (CUDA)'),
  (7, 'Lazy function loading (CUDA)'), (8, 'Command buffer full (CUDA)');
CREATE TABLE ENUM_CUDA_KERNEL_LAUNCH_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_CUDA_KERNEL_LAUNCH_TYPE (id, label) VALUES (0, 'Unknown'), (1, 'Regular'),
  (2, 'Coop Single Device'), (3, 'Coop Multi Device');
CREATE TABLE ENUM_NSYS_EVENT_CLASS (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_NSYS_EVENT_CLASS (id, label) VALUES (0, 'CUDA runtime'), (1, 'CUDA driver');
CREATE TABLE ENUM_NSYS_EVENT_TYPE (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT);
INSERT INTO ENUM_NSYS_EVENT_TYPE (id, name, label) VALUES (59, 'NvtxPushPopRange', 'NVTX Push/Pop Range'),
  (60, 'NvtxStartEndRange', 'NVTX Start/End Range'), (75, 'NvtxDomainCreate', 'NVTX Domain Create');

CREATE TEMP TABLE process AS
  SELECT coalesce((SELECT CAST(value AS INTEGER) FROM our_metadata WHERE key = 'process_id'), 0) & 0xffffff AS pid,
         coalesce((SELECT value FROM our_metadata WHERE key = 'program'), 'unknown') AS name;
CREATE TEMP TABLE ids AS SELECT 1 << 48 AS vid, (1 << 48) + (pid << 24) AS global_pid, pid FROM process;

-- Every text once.
CREATE TEMP TABLE texts (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
INSERT OR IGNORE INTO texts (value)
  SELECT demangled FROM names UNION ALL SELECT short FROM names UNION ALL SELECT text FROM names
  UNION ALL SELECT name FROM our_functions UNION ALL SELECT path FROM our_modules
  UNION ALL SELECT name FROM our_threads WHERE name IS NOT NULL UNION ALL SELECT '';
CREATE TEMP TABLE kernel_names AS
  SELECT s.id AS id, d.id AS demangled_id, h.id AS short_id, m.id AS mangled_id
  FROM our_strings s JOIN names n ON n.text = s.text JOIN texts d ON d.value = n.demangled
    JOIN texts h ON h.value = n.short JOIN texts m ON m.value = n.text;
CREATE UNIQUE INDEX temp.kernel_names_id ON kernel_names (id);

CREATE TEMP TABLE call_of (correlation_id INTEGER PRIMARY KEY, call_id INTEGER NOT NULL);
INSERT OR IGNORE INTO call_of
  SELECT correlation_id, id FROM our_calls WHERE correlation_id IS NOT NULL
  UNION ALL SELECT correlation_id, call_id FROM our_correlations;

-- Call stacks. Their export has no lines, so the symbol says them. Python's frames are the outermost.
CREATE TEMP TABLE symbols (site_id INTEGER, depth INTEGER, symbol TEXT, module TEXT, offset INTEGER);
INSERT INTO symbols
  SELECT f.site_id, f.depth,
         coalesce(n.demangled, printf('0x%x', f.offset))
           || coalesce(' (' || f.file || ':' || f.line || ')', ''), m.path, f.offset
  FROM our_frames f LEFT JOIN names n ON n.text = f.function LEFT JOIN our_modules m ON m.id = f.module_id
  UNION ALL
  SELECT p.site_id, s.depth + p.depth, p.function || coalesce(' (' || p.file || ':' || p.line || ')', ''),
         p.file, 0
  FROM our_python_frames p JOIN our_call_sites s ON s.id = p.site_id;
INSERT OR IGNORE INTO texts (value) SELECT symbol FROM symbols UNION ALL SELECT module FROM symbols WHERE module IS NOT NULL;
CREATE TABLE CUDA_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER, module INTEGER, kernelMode INTEGER,
  thumbCode INTEGER, unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, unresolvedIP INTEGER,
  stackDepth INTEGER NOT NULL);
INSERT INTO CUDA_CALLCHAINS (id, symbol, module, unresolved, originalIP, stackDepth)
  SELECT site_id, s.id, m.id, 0, offset, depth
  FROM symbols JOIN texts s ON s.value = symbol LEFT JOIN texts m ON m.value = module;

CREATE TEMP TABLE call_names (id INTEGER PRIMARY KEY, text_id INTEGER, is_of_driver INTEGER, class TEXT);
INSERT INTO call_names
  SELECT f.id, t.id, f.name NOT GLOB '*cuda*', f.class FROM our_functions f JOIN texts t ON t.value = f.name;
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME
  SELECT start_ns - origin_ns, end_ns - origin_ns, f.is_of_driver, global_pid + (thread_id & 0xffffff),
         c.id, f.text_id, result, site_id
  FROM our_calls c CROSS JOIN call_names f ON f.id = c.function_id CROSS JOIN facts CROSS JOIN ids;

INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL
    (start, "end", deviceId, contextId, streamId, correlationId, globalPid, demangledName, shortName,
     mangledName, launchType, registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ,
     staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, localMemoryTotal, gridId, graphNodeId,
     tensorSizeMinusOneElements)
  SELECT start_ns - origin_ns, end_ns - origin_ns, device_id, context_id, stream_id, call_id, global_pid,
         coalesce(demangled_id, t.id), coalesce(short_id, t.id), mangled_id, 1,
         coalesce(registers_per_thread, 0), coalesce(grid_x, 1), coalesce(grid_y, 1), coalesce(grid_z, 1),
         coalesce(block_x, 1), coalesce(block_y, 1), coalesce(block_z, 1), coalesce(static_shared_bytes, 0),
         coalesce(dynamic_shared_bytes, 0), coalesce(local_bytes_per_thread, 0), 0, o.id, graph_node_id, '[]'
  FROM our_operations o CROSS JOIN facts CROSS JOIN ids CROSS JOIN (SELECT id FROM texts WHERE value = '') t
    LEFT JOIN kernel_names k ON k.id = name_id LEFT JOIN call_of c ON c.correlation_id = o.correlation_id
  WHERE kind = 1 AND start_ns IS NOT NULL AND end_ns IS NOT NULL;

-- Their memory kinds are CUPTI's less 1; 7 is unknown.
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY
    (start, "end", deviceId, contextId, streamId, correlationId, globalPid, bytes, copyKind, srcKind, dstKind,
     srcDeviceId, dstDeviceId, graphNodeId, copyCount)
  SELECT start_ns - origin_ns, end_ns - origin_ns, device_id, context_id, stream_id, call_id, global_pid,
         coalesce(size_bytes, 0), coalesce(copy_kind, 0),
         CASE WHEN src_kind BETWEEN 1 AND 7 THEN src_kind - 1 ELSE 7 END,
         CASE WHEN dst_kind BETWEEN 1 AND 7 THEN dst_kind - 1 ELSE 7 END, src_device_id, dst_device_id,
         graph_node_id, 1
  FROM our_operations o CROSS JOIN facts CROSS JOIN ids
    LEFT JOIN call_of c ON c.correlation_id = o.correlation_id
  WHERE kind = 2 AND start_ns IS NOT NULL AND end_ns IS NOT NULL;
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET
    (start, "end", deviceId, contextId, streamId, correlationId, globalPid, value, bytes, graphNodeId, memKind)
  SELECT start_ns - origin_ns, end_ns - origin_ns, device_id, context_id, stream_id, call_id, global_pid, 0,
         coalesce(size_bytes, 0), graph_node_id, CASE WHEN dst_kind BETWEEN 1 AND 7 THEN dst_kind - 1 ELSE 7 END
  FROM our_operations o CROSS JOIN facts CROSS JOIN ids
    LEFT JOIN call_of c ON c.correlation_id = o.correlation_id
  WHERE kind = 3 AND start_ns IS NOT NULL AND end_ns IS NOT NULL;
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE
    (start, "end", deviceId, contextId, streamId, correlationId, globalPid)
  SELECT start_ns - origin_ns, end_ns - origin_ns, device_id, context_id, stream_id, call_id, global_pid
  FROM our_operations o CROSS JOIN facts CROSS JOIN ids
    LEFT JOIN call_of c ON c.correlation_id = o.correlation_id
  WHERE kind = 4 AND start_ns IS NOT NULL AND end_ns IS NOT NULL;

-- Records of events, and waits: CUPTI's numbers for streams from the calls' handles, and a number for each
-- handle of an event. number counts in the order of time: a wait is for the last record before it.
CREATE TEMP TABLE handles AS
  SELECT handle, coalesce(created_ns, 0) AS created_ns, coalesce(destroyed_ns, 1 << 62) AS destroyed_ns,
         context_id, id FROM our_streams WHERE handle IS NOT NULL;
CREATE INDEX temp.handles_handle ON handles (handle, created_ns);
CREATE TEMP TABLE ordering (number INTEGER PRIMARY KEY, call_id INTEGER, type INTEGER, start_ns INTEGER,
                            end_ns INTEGER, object INTEGER, context_id INTEGER, stream_id INTEGER);
INSERT INTO ordering
  SELECT row_number() OVER (ORDER BY start_ns, c.id), c.id,
         CASE f.class WHEN 'event-record' THEN 0 WHEN 'event-sync' THEN 1 WHEN 'stream-wait-event' THEN 2
           WHEN 'stream-sync' THEN 3 ELSE 4 END, start_ns, end_ns, object,
         coalesce(c.context_id, (SELECT min(id) FROM our_contexts), 1),
         CASE WHEN stream_handle > 2 THEN (SELECT h.id FROM handles h WHERE h.handle = c.stream_handle
                     AND h.created_ns <= c.start_ns AND h.destroyed_ns >= c.start_ns
                   ORDER BY h.created_ns DESC LIMIT 1)
              WHEN stream_handle = 1 OR (stream_handle = 0 AND NOT per_thread_stream) THEN
                (SELECT null_stream_id FROM our_contexts x
                 WHERE x.id = coalesce(c.context_id, (SELECT min(id) FROM our_contexts))) END
  FROM our_calls c CROSS JOIN call_names f ON f.id = c.function_id
  WHERE f.class IN ('event-record', 'event-sync', 'stream-wait-event', 'stream-sync', 'device-sync')
    AND c.result = 0;
CREATE TEMP TABLE events (id INTEGER PRIMARY KEY, object INTEGER UNIQUE);
INSERT OR IGNORE INTO events (object) SELECT object FROM ordering WHERE object IS NOT NULL ORDER BY number;
INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT
    (timestamp, deviceId, contextId, streamId, correlationId, globalPid, eventId, eventSyncId)
  SELECT 0, coalesce((SELECT device_id FROM our_contexts x WHERE x.id = o.context_id), 0), context_id, stream_id,
         call_id, global_pid, e.id, number
  FROM ordering o CROSS JOIN ids JOIN events e ON e.object = o.object
  WHERE type = 0 AND stream_id IS NOT NULL ORDER BY number;
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION
    (start, "end", deviceId, contextId, streamId, correlationId, globalPid, syncType, eventId, eventSyncId)
  SELECT start_ns - origin_ns, end_ns - origin_ns,
         coalesce((SELECT device_id FROM our_contexts x WHERE x.id = o.context_id), 0), context_id,
         CASE WHEN type IN (2, 3) AND stream_id IS NOT NULL THEN stream_id ELSE 4294967295 END, call_id,
         global_pid, type, coalesce(e.id, 4294967295), coalesce(record, 4294967295)
  FROM (SELECT *, max(CASE WHEN type = 0 THEN number END)
                    OVER (PARTITION BY object ORDER BY number ROWS UNBOUNDED PRECEDING) AS record FROM ordering) o
    CROSS JOIN facts CROSS JOIN ids LEFT JOIN events e ON e.object = o.object
  WHERE type > 0 ORDER BY number;

INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD
  SELECT start_ns - origin_ns, end_ns - origin_ns, 0, global_pid + (coalesce(thread_id, 0) & 0xffffff), 0, t.id,
         CASE kind WHEN 1 THEN 2 ELSE kind / 65536 + 2 END
  FROM our_overheads CROSS JOIN facts CROSS JOIN ids CROSS JOIN (SELECT id FROM texts WHERE value = '') t
  WHERE kind = 1 OR kind IN (65536, 131072, 196608, 262144, 327680, 393216);

-- A domain is the id of its name; 0 is the default one.
INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId)
  SELECT min(start_ns) - origin_ns, 75, text, global_pid + (min(thread_id) & 0xffffff), domain_id
  FROM our_nvtx_ranges JOIN our_strings s ON s.id = domain_id CROSS JOIN facts CROSS JOIN ids GROUP BY domain_id;
INSERT INTO NVTX_EVENTS (start, "end", eventType, rangeId, color, text, globalTid, endGlobalTid, domainId)
  SELECT start_ns - origin_ns, end_ns - origin_ns, CASE WHEN is_pushed THEN 59 ELSE 60 END,
         CASE WHEN NOT is_pushed THEN r.id END, color, text, global_pid + (thread_id & 0xffffff),
         global_pid + (end_thread_id & 0xffffff), coalesce(domain_id, 0)
  FROM our_nvtx_ranges r CROSS JOIN facts CROSS JOIN ids LEFT JOIN our_strings s ON s.id = name_id ORDER BY start_ns;

INSERT INTO TARGET_INFO_GPU
    (vmId, id, name, isDiscrete, totalMemory, memoryBandwidth, smCount, uuid, cuDevice, maxShmemPerSm,
     maxRegistersPerSm, threadsPerWarp, asyncEngines, maxWarpsPerSm, maxBlocksPerSm, computeMajor,
     computeMinor, smMajor, smMinor)
  SELECT vid, id, name, 1, memory_bytes, memory_bandwidth_kbytes_per_s * 1000, multiprocessors, uuid, id,
         max_shared_bytes_per_multiprocessor, max_registers_per_multiprocessor, 32, copy_engines,
         max_warps_per_multiprocessor, max_blocks_per_multiprocessor, compute_capability_major,
         compute_capability_minor, compute_capability_major, compute_capability_minor
  FROM our_devices CROSS JOIN ids;
INSERT INTO TARGET_INFO_CUDA_DEVICE SELECT id, id, pid, uuid, multiprocessors FROM our_devices CROSS JOIN ids;
INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO
  SELECT null_stream_id, 0, 1, pid, device_id, id, 0, 0, NULL FROM our_contexts CROSS JOIN ids;
INSERT INTO TARGET_INFO_CUDA_STREAM
  SELECT id, 0, 1, pid, context_id, coalesce(priority, 0), coalesce(flag, 0) FROM our_streams CROSS JOIN ids;
INSERT INTO PROCESSES SELECT global_pid, ids.pid, name FROM process CROSS JOIN ids;
INSERT INTO ThreadNames
  SELECT t.id, 0, global_pid + (o.id & 0xffffff) FROM our_threads o JOIN texts t ON t.value = o.name CROSS JOIN ids;
INSERT INTO StringIds SELECT id, value FROM texts;
INSERT INTO TARGET_INFO_SESSION_START_TIME
  SELECT origin_ns, strftime('%Y-%m-%dT%H:%M:%S', origin_ns / 1000000000, 'unixepoch'),
         strftime('%Y-%m-%dT%H:%M:%S', origin_ns / 1000000000, 'unixepoch'), 0 FROM facts;
INSERT INTO ANALYSIS_DETAILS SELECT vid, last_ns - origin_ns, 0, last_ns - origin_ns FROM facts CROSS JOIN ids;
INSERT INTO META_DATA_EXPORT
  SELECT 'EXPORT_PRODUCT_NAME', 'streamtrace' UNION ALL
  SELECT 'EXPORT_PRODUCT_VERSION', value FROM our_metadata WHERE key = 'streamtrace_version' UNION ALL
  SELECT 'EXPORT_SCHEMA_VERSION', '3.25.0' UNION ALL SELECT 'EXPORT_SCHEMA_VERSION_MAJOR', '3' UNION ALL
  SELECT 'EXPORT_SCHEMA_VERSION_MINOR', '25' UNION ALL SELECT 'EXPORT_SCHEMA_VERSION_MICRO', '0' UNION ALL
  SELECT 'EXPORT_PARAM_EXPORT_TYPE', 'SQLite' UNION ALL SELECT 'EXPORT_PARAM_LAZY', 'false';
INSERT INTO META_DATA_CAPTURE
  SELECT 'APPLICATION_PID', pid FROM ids UNION ALL
  SELECT 'PROCESS_0:ARGUMENT_0', value FROM our_metadata WHERE key = 'command_line';
