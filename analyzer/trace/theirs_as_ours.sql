-- Nsight Systems' SQLite export seen as a trace of ours: temporary tables and views with the names and
-- meanings of preload/schema.sql, made of the views of nsys_columns.def when such a file is opened. The
-- file itself is not changed.
--
-- One process of theirs is a trace: the one with the most operations. Their times count from the
-- session's start, and become those of CLOCK_REALTIME here. What they do not record has no rows, or is
-- NULL: source lines, arguments of launches, addresses of copies, host functions, sizes of allocations,
-- what the recording itself cost. findings/foreign.c says what cannot be judged without it.
--
-- What many rows look up is a table with a key; the rest are views.

-- globalPid >> 24 of the process, and the ns between their times and ours.
CREATE TEMP TABLE chosen AS
  SELECT coalesce((SELECT globalPid >> 24 FROM
                     (SELECT globalPid FROM their_kernels UNION ALL SELECT globalPid FROM their_copies
                      UNION ALL SELECT globalPid FROM their_sets)
                   WHERE globalPid IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1),
                  (SELECT globalTid >> 24 FROM their_calls GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1)
                 ) AS process,
         max(coalesce((SELECT utcEpochNs FROM their_session), 0),
             -min(coalesce((SELECT min(start) FROM their_calls), 0),
                  coalesce((SELECT min(start) FROM their_kernels), 0),
                  coalesce((SELECT min(start) FROM their_copies), 0),
                  coalesce((SELECT min(start) FROM their_sets), 0))) AS origin_ns;

-- Names of their calls: without the version and without _ptsz or _ptds. preload/api has the classes of
-- functions; a test compares. The first pattern that fits counts.
CREATE TEMP TABLE classes (pattern TEXT, class TEXT);
INSERT INTO classes VALUES
  ('cu*GraphLaunch', 'graph-launch'), ('cu*GraphInstantiate*', 'graph-instantiate'),
  ('cu*GraphExec*SetParams', 'graph-update'), ('cu*GraphExecUpdate', 'graph-update'),
  ('cu*GraphUpload', 'graph-upload'), ('cu*Graph*Destroy', 'graph-destroy'),
  ('cu*GraphAdd*', 'graph-build'), ('cu*GraphClone', 'graph-build'),
  ('cu*GraphHostNodeGetParams', 'graph-build'),
  ('cu*StreamBeginCapture*', 'graph-capture'), ('cu*StreamEndCapture', 'graph-capture'),
  ('cu*Memcpy*', 'copy'), ('cu*Memset*', 'set'), ('cu*MemPool*', 'pool'), ('cu*DeviceSetMemPool', 'pool'),
  ('cu*LaunchHostFunc*', 'host-function'), ('cu*StreamAddCallback', 'host-function'),
  ('*cu*LaunchKernel*', 'launch'), ('cu*LaunchCooperativeKernel*', 'launch'), ('cuLaunch*', 'launch'),
  ('cu*StreamCreate*', 'stream-create'), ('cu*StreamDestroy', 'stream-destroy'),
  ('cu*StreamSynchronize', 'stream-sync'), ('cu*StreamQuery', 'stream-query'),
  ('cu*StreamWaitEvent', 'stream-wait-event'),
  ('cu*EventCreate*', 'event-create'), ('cu*EventDestroy', 'event-destroy'),
  ('cu*EventRecord*', 'event-record'), ('cu*EventSynchronize', 'event-sync'),
  ('cu*EventQuery', 'event-query'), ('cu*EventElapsedTime', 'event-elapsed'),
  ('cudaDeviceSynchronize', 'device-sync'), ('cudaDeviceReset', 'device-sync'),
  ('cuCtxSynchronize', 'device-sync'), ('cuCtxDestroy', 'device-sync'),
  ('cuDevicePrimaryCtxReset', 'device-sync'), ('cudaThreadSynchronize', 'device-sync'),
  ('cudaMallocHost', 'host-alloc'), ('cudaHostAlloc', 'host-alloc'), ('cuMemAllocHost', 'host-alloc'),
  ('cuMemHostAlloc', 'host-alloc'), ('cudaFreeHost', 'host-free'), ('cuMemFreeHost', 'host-free'),
  ('cu*HostRegister', 'register'), ('cu*HostUnregister', 'unregister'),
  ('cu*MemPrefetch*', 'managed'), ('cu*MemDiscard*', 'managed'), ('cu*MemAdvise*', 'managed'),
  ('cudaMalloc*', 'alloc'), ('cuMemAlloc*', 'alloc'), ('cuMemMap', 'alloc'), ('cu*Array*Create', 'alloc'),
  ('cudaFree*', 'free'), ('cuMemFree*', 'free'), ('cuMemUnmap', 'free'), ('cu*ArrayDestroy', 'free');
CREATE TEMP TABLE api_names (id INTEGER PRIMARY KEY, name TEXT, per_thread_stream INTEGER, class TEXT);
INSERT INTO api_names
  WITH texts(id, text) AS (
         SELECT id, CAST(value AS TEXT) FROM their_texts WHERE id IN (SELECT nameId FROM their_calls)),
       bare(id, text) AS (
         SELECT id, CASE WHEN rtrim(text, '0123456789') GLOB '*_v'
                      THEN substr(rtrim(text, '0123456789'), 1, length(rtrim(text, '0123456789')) - 2)
                      ELSE text END FROM texts),
       named(id, name, per_thread_stream) AS (
         SELECT id, CASE WHEN text GLOB '*_pt[ds][sz]' THEN substr(text, 1, length(text) - 5) ELSE text END,
                text GLOB '*_pt[ds][sz]' FROM bare)
  SELECT id, name, per_thread_stream,
         coalesce((SELECT class FROM classes c WHERE name GLOB pattern ORDER BY c.rowid LIMIT 1), 'other')
  FROM named;
CREATE TEMP VIEW functions AS SELECT id, name, class FROM api_names;

-- Calls inside a call of the same thread: what they enqueued is the outermost one's. Mostly there are none,
-- and the second table stays empty.
CREATE TEMP TABLE nested (id INTEGER PRIMARY KEY, globalTid INTEGER, start INTEGER, correlation_id INTEGER);
INSERT INTO nested
  SELECT row, globalTid, start, correlationId
  FROM (SELECT row, globalTid, start, correlationId, max("end") OVER
                 (PARTITION BY globalTid ORDER BY start, "end" DESC, row
                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS ended
        FROM their_calls WHERE globalTid >> 24 = (SELECT process FROM chosen))
  WHERE start < ended;
CREATE TEMP TABLE outermost AS
  SELECT globalTid, start, row FROM their_calls
  WHERE EXISTS (SELECT 1 FROM nested) AND row NOT IN (SELECT id FROM nested);
CREATE INDEX temp.outermost_start ON outermost (globalTid, start);
CREATE TEMP VIEW correlations AS
  SELECT correlation_id, (SELECT row FROM outermost o WHERE o.globalTid = n.globalTid AND o.start <= n.start
                          ORDER BY o.start DESC LIMIT 1) AS call_id
  FROM nested n WHERE correlation_id > 0 GROUP BY 1;

CREATE TEMP TABLE default_streams (context_id INTEGER PRIMARY KEY, stream_id INTEGER);
INSERT OR IGNORE INTO default_streams
  SELECT contextId, streamId FROM their_streams
  WHERE flag = 3 AND processId = (SELECT process & 0xffffff FROM chosen);
-- Where neither the context's row nor the stream's is there: CUPTI gives each context eight numbers, the
-- default stream the last of them.
CREATE TEMP TABLE contexts (id INTEGER PRIMARY KEY, device_id INTEGER NOT NULL, null_stream_id INTEGER NOT NULL);
INSERT OR IGNORE INTO contexts
  SELECT contextId, deviceId, nullStreamId FROM their_contexts
  WHERE processId = (SELECT process & 0xffffff FROM chosen);
INSERT OR IGNORE INTO contexts
  SELECT coalesce(o.contextId, 0), coalesce(o.deviceId, 0),
         coalesce((SELECT stream_id FROM default_streams s WHERE s.context_id = o.contextId),
                  8 * coalesce(o.contextId, 1) - 1)
  FROM (SELECT contextId, deviceId, globalPid FROM their_kernels
        UNION SELECT contextId, deviceId, globalPid FROM their_copies
        UNION SELECT contextId, deviceId, globalPid FROM their_sets) o
  WHERE coalesce(globalPid >> 24 = (SELECT process FROM chosen), 1);

-- What a call enqueued or waited for, by its correlation id. They have no handles of streams: the
-- context's id and the stream's make one. 1 is the legacy default stream.
CREATE TEMP TABLE enqueued (correlation_id INTEGER PRIMARY KEY, context_id INTEGER, stream_handle INTEGER,
                            event_id INTEGER, size_bytes INTEGER);
INSERT OR IGNORE INTO enqueued
  SELECT correlationId, contextId,
         CASE WHEN streamId = (SELECT null_stream_id FROM contexts c WHERE c.id = coalesce(contextId, 0)) THEN 1
              WHEN streamId <> 4294967295 THEN (coalesce(contextId, 0) << 32 | streamId) + 16 END,
         nullif(eventId, 4294967295), bytes
  FROM (SELECT correlationId, contextId, streamId, globalPid, NULL AS eventId, NULL AS bytes FROM their_kernels
        UNION ALL SELECT correlationId, contextId, streamId, globalPid, NULL, bytes FROM their_copies
        UNION ALL SELECT correlationId, contextId, streamId, globalPid, NULL, bytes FROM their_sets
        UNION ALL SELECT correlationId, contextId, streamId, globalPid, eventId, NULL FROM their_records
        UNION ALL SELECT correlationId, contextId, streamId, globalPid, eventId, NULL FROM their_waits)
  WHERE correlationId > 0 AND coalesce(globalPid >> 24 = (SELECT process FROM chosen), 1);

CREATE TEMP VIEW streams AS
  SELECT contextId AS context_id, streamId AS id, min(CASE WHEN flag BETWEEN 0 AND 3 THEN flag END) AS flag,
         -- Theirs are unsigned: 4294967291 is -5.
         min(CASE WHEN priority > 2147483647 THEN priority - 4294967296 ELSE priority END) AS priority,
         CASE WHEN streamId = (SELECT null_stream_id FROM contexts c WHERE c.id = contextId) THEN NULL
              ELSE (contextId << 32 | streamId) + 16 END AS handle,
         NULL AS created_ns, NULL AS destroyed_ns
  FROM (SELECT contextId, streamId, processId, flag, priority FROM their_streams
        UNION ALL SELECT coalesce(contextId, 0), streamId, globalPid >> 24 & 0xffffff, NULL, NULL FROM
          (SELECT contextId, streamId, globalPid FROM their_kernels
           UNION SELECT contextId, streamId, globalPid FROM their_copies
           UNION SELECT contextId, streamId, globalPid FROM their_sets))
  WHERE coalesce(processId = (SELECT process & 0xffffff FROM chosen), 1) AND streamId <> 4294967295
  GROUP BY 1, 2;

CREATE TEMP VIEW calls AS
  SELECT r.row AS id, r.globalTid & 0xffffff AS thread_id, r.nameId AS function_id,
         r.start + (SELECT origin_ns FROM chosen) AS start_ns,
         r."end" + (SELECT origin_ns FROM chosen) AS end_ns, coalesce(r.returnValue, 0) AS result,
         coalesce(r.eventClass = 1, 0) AS api_path,
         coalesce((SELECT per_thread_stream FROM api_names n WHERE n.id = r.nameId), 0) AS per_thread_stream,
         (SELECT site_id FROM called_at WHERE call_id = r.row) AS site_id, nullif(r.correlationId, 0) AS correlation_id, e.stream_handle AS stream_handle,
         e.event_id AS object, NULL AS dst, NULL AS src, e.size_bytes AS size_bytes, NULL AS copy_kind,
         NULL AS arguments_id, NULL AS numbers, e.context_id AS context_id
  FROM their_calls r LEFT JOIN enqueued e ON e.correlation_id = r.correlationId
  WHERE r.globalTid >> 24 = (SELECT process FROM chosen) AND r.row NOT IN (SELECT id FROM nested);

-- Their memory kinds are CUPTI's less 1, and 7 is unknown.
CREATE TEMP TABLE asynchronous (correlation_id INTEGER PRIMARY KEY);
INSERT OR IGNORE INTO asynchronous
  SELECT correlationId FROM their_calls
  WHERE nameId IN (SELECT id FROM api_names WHERE class IN ('copy', 'set') AND name GLOB '*Async')
    AND globalTid >> 24 = (SELECT process FROM chosen) AND correlationId IS NOT NULL;
CREATE TEMP VIEW operations AS
  WITH their_operations AS (
    SELECT row AS id, 1 AS kind, start, "end", deviceId, contextId, streamId, correlationId, graphNodeId,
           coalesce(mangledName, demangledName) AS name_id, gridX, gridY, gridZ, blockX, blockY, blockZ,
           registersPerThread, staticSharedMemory, dynamicSharedMemory, NULL AS copy_kind,
           NULL AS src_kind, NULL AS dst_kind, NULL AS size_bytes, NULL AS src_device_id,
           NULL AS dst_device_id, globalPid
    FROM their_kernels
    UNION ALL
    SELECT row + (SELECT coalesce(max(row), 0) FROM their_kernels), 2, start, "end", deviceId, contextId,
           streamId, correlationId, graphNodeId, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, copyKind, nullif(srcKind + 1, 8), nullif(dstKind + 1, 8), bytes, srcDeviceId, dstDeviceId,
           globalPid
    FROM their_copies
    UNION ALL
    SELECT row + (SELECT coalesce(max(row), 0) FROM their_kernels)
             + (SELECT coalesce(max(row), 0) FROM their_copies), 3, start, "end", deviceId, contextId,
           streamId, correlationId, graphNodeId, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, nullif(memKind + 1, 8), bytes, NULL, NULL, globalPid
    FROM their_sets
    UNION ALL -- --cuda-graph-trace=graph, the default
    SELECT row + (SELECT coalesce(max(row), 0) FROM their_kernels)
             + (SELECT coalesce(max(row), 0) FROM their_copies)
             + (SELECT coalesce(max(row), 0) FROM their_sets), 4, start, "end", deviceId, contextId,
           streamId, correlationId, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, NULL, NULL, globalPid
    FROM their_graphs)
  SELECT id, kind, start + (SELECT origin_ns FROM chosen) AS start_ns,
         "end" + (SELECT origin_ns FROM chosen) AS end_ns, coalesce(deviceId, 0) AS device_id,
         coalesce(contextId, 0) AS context_id, coalesce(streamId, 0) AS stream_id,
         coalesce(correlationId, 0) AS correlation_id, graphNodeId AS graph_node_id, NULL AS channel_id,
         NULL AS channel_type, name_id, gridX AS grid_x, gridY AS grid_y, gridZ AS grid_z,
         blockX AS block_x, blockY AS block_y, blockZ AS block_z,
         registersPerThread AS registers_per_thread, staticSharedMemory AS static_shared_bytes,
         dynamicSharedMemory AS dynamic_shared_bytes, NULL AS local_bytes_per_thread, copy_kind, src_kind,
         dst_kind, correlationId IN (SELECT correlation_id FROM asynchronous) AS is_async, size_bytes,
         src_device_id, dst_device_id
  FROM their_operations WHERE coalesce(globalPid >> 24 = (SELECT process FROM chosen), 1);

CREATE TEMP VIEW event_records AS
  SELECT row AS id, contextId AS context_id, streamId AS stream_id, eventId AS event_id,
         coalesce(correlationId, 0) AS correlation_id, nullif(eventSyncId, 4294967295) AS sync_id
  FROM their_records WHERE coalesce(globalPid >> 24 = (SELECT process FROM chosen), 1);
CREATE TEMP VIEW synchronizations AS
  SELECT row AS id, syncType AS type, start + (SELECT origin_ns FROM chosen) AS start_ns,
         "end" + (SELECT origin_ns FROM chosen) AS end_ns, contextId AS context_id,
         nullif(streamId, 4294967295) AS stream_id, nullif(eventId, 4294967295) AS event_id,
         coalesce(correlationId, 0) AS correlation_id,
         nullif(nullif(eventSyncId, 4294967295), 0) AS sync_id
  FROM their_waits WHERE coalesce(globalPid >> 24 = (SELECT process FROM chosen), 1);

-- Names of ranges and of domains, under ids behind those of their texts. Of types of events 59 and 70 are pushed
-- ranges, 60 and 71 started ones, 75 is the name of a domain.
CREATE TEMP TABLE range_events AS
  SELECT row, start + origin_ns AS start_ns, "end" + origin_ns AS end_ns, eventType AS type, color,
         coalesce(CAST(text AS TEXT),
                  (SELECT CAST(value AS TEXT) FROM their_texts t WHERE t.id = textId)) AS text,
         globalTid & 0xffffff AS thread_id, endGlobalTid & 0xffffff AS end_thread_id, domainId AS domain
  FROM their_ranges CROSS JOIN chosen
  WHERE eventType IN (59, 60, 70, 71, 75) AND globalTid >> 24 = process AND start IS NOT NULL;
CREATE TEMP TABLE range_names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
INSERT INTO range_names SELECT coalesce(max(id), 0) + 1, '' FROM their_texts;
INSERT OR IGNORE INTO range_names (text) SELECT text FROM range_events WHERE text IS NOT NULL;
CREATE TEMP TABLE range_domains (domain INTEGER PRIMARY KEY, name_id INTEGER);
INSERT OR IGNORE INTO range_domains
  SELECT domain, (SELECT id FROM range_names n WHERE n.text = e.text) FROM range_events e
  WHERE type = 75 AND domain IS NOT NULL ORDER BY start_ns;
CREATE TEMP VIEW nvtx_ranges AS
  SELECT row AS id, type IN (59, 70) AS is_pushed, thread_id, max(start_ns, 0) AS start_ns,
         CASE WHEN end_ns >= max(start_ns, 0) THEN end_ns END AS end_ns, end_thread_id,
         (SELECT id FROM range_names n WHERE n.text = e.text) AS name_id,
         (SELECT d.name_id FROM range_domains d WHERE d.domain = e.domain) AS domain_id,
         color & 0xffffffff AS color
  FROM range_events e WHERE type <> 75 AND (text IS NULL OR text NOT IN ('Waiting for GIL', 'Holding GIL'));

-- What the host's threads did. nsys_host.c reads host_events, and fills the tables below: the states, the sites of
-- calls, and a site for each pair of a native and a Python stack.
--
-- What a thread waits for in a function of OSRT_API: the state's number in host_states.def, and the waited-for's
-- name as preload/host has it. The first pattern that fits counts; functions without one have their own name.
CREATE TEMP TABLE waits (pattern TEXT, state INTEGER, name TEXT);
INSERT INTO waits VALUES
  ('pthread_mutex_*', 2, 'mutex'), ('pthread_rwlock_*', 2, 'mutex'), ('pthread_spin_*', 2, 'mutex'),
  ('pthread_cond_*', 2, NULL), ('pthread_barrier_*', 2, NULL), ('pthread_*join*', 2, NULL),
  ('sem_*', 2, NULL), ('futex*', 2, NULL), ('*sleep', 1, NULL),
  ('wait', 5, NULL), ('wait[34p]*', 5, NULL), ('waitid', 5, NULL), ('system', 5, NULL), ('pclose', 5, NULL),
  ('ioctl', 6, NULL), ('*poll*', 4, 'several'), ('*select*', 4, 'several'),
  ('pread*', 4, NULL), ('read*', 4, NULL), ('fread*', 4, NULL), ('fget*', 4, NULL), ('getc*', 4, NULL),
  ('pwrite*', 4, NULL), ('write*', 4, NULL), ('fwrite*', 4, NULL), ('fput*', 4, NULL), ('putc*', 4, NULL),
  ('recv*', 4, NULL), ('send*', 4, NULL), ('accept*', 4, NULL), ('connect', 4, NULL), ('fflush*', 4, NULL),
  ('fsync', 4, NULL), ('fdatasync', 4, NULL), ('flock', 4, NULL), ('mmap*', 7, 'mmap');
CREATE TEMP TABLE os_functions (id INTEGER PRIMARY KEY, state INTEGER, name TEXT);
INSERT OR IGNORE INTO os_functions
  SELECT t.id, coalesce(w.state, 7), CASE WHEN w.state IS NULL THEN CAST(t.value AS TEXT) ELSE w.name END
  FROM their_texts t LEFT JOIN waits w
    ON w.rowid = (SELECT min(p.rowid) FROM waits p WHERE CAST(t.value AS TEXT) GLOB p.pattern)
  WHERE t.id IN (SELECT nameId FROM their_os_calls);
INSERT OR IGNORE INTO range_names (text) SELECT name FROM os_functions WHERE name IS NOT NULL;

CREATE TEMP TABLE host_frames (stack INTEGER, depth INTEGER, function_id INTEGER, module_id INTEGER,
                               offset INTEGER, PRIMARY KEY (stack, depth)) WITHOUT ROWID;
CREATE TEMP TABLE host_python_frames (stack INTEGER, depth INTEGER, file TEXT, line INTEGER, function TEXT,
                                      PRIMARY KEY (stack, depth)) WITHOUT ROWID;
CREATE TEMP TABLE host_sites (id INTEGER PRIMARY KEY, native_stack INTEGER, python_stack INTEGER);
CREATE TEMP TABLE host_states (id INTEGER PRIMARY KEY, thread_id, start_ns, end_ns, state, looks, ready_ns,
                               faults, system_ns, site_id, object, object_id);

-- The sites of calls.
CREATE TEMP TABLE called_at (call_id INTEGER PRIMARY KEY, site_id INTEGER NOT NULL);

CREATE TEMP VIEW cuda_modules AS
  SELECT id FROM their_texts
  WHERE value GLOB '*libcuda.so*' OR value GLOB '*libcudart*' OR value GLOB '*libcupti*';
CREATE TEMP TABLE special_texts (id INTEGER PRIMARY KEY); -- "[Max depth]", "[kernel.kallsyms]"
INSERT OR IGNORE INTO special_texts SELECT id FROM their_texts WHERE value GLOB '[[]*]';
-- Threads that Nsight Systems itself adds to the process.
CREATE TEMP TABLE their_own_threads (id INTEGER PRIMARY KEY);
INSERT OR IGNORE INTO their_own_threads
  SELECT globalTid FROM their_thread_names
  WHERE nameId IN (SELECT id FROM their_texts WHERE value GLOB '[[]NS*' OR value GLOB 'CUPTI worker th*');
-- Samples (kind 6), and the stack of each CUDA call (7), which has the time of its begin.
CREATE TEMP VIEW python_samples AS
  SELECT row, start, globalTid, CAST(binaryData AS BLOB) AS bytes,
         CASE text WHEN 'Python Periodic Sampling' THEN 6 ELSE 7 END AS kind
  FROM (SELECT row, start, globalTid, binaryData, domainId AS domain FROM their_ranges
        WHERE eventType = 34 AND binaryData IS NOT NULL)
    JOIN (SELECT DISTINCT domain, text FROM range_events
          WHERE type = 75 AND text IN ('Python Periodic Sampling', 'Python Backtrace on CUDA')) USING (domain)
  WHERE globalTid >> 24 = (SELECT process FROM chosen);
-- kind: enum event_kind in nsys_host.c. Of a sample, stack is its own id, and the end NULL. Rows that are no times
-- are left out.
CREATE TEMP VIEW host_samples AS
  SELECT globalTid, start, NULL AS "end", 5 AS kind, NULL AS state, NULL AS object_id, id AS stack FROM their_samples
  WHERE globalTid >> 24 = (SELECT process FROM chosen)
  UNION ALL SELECT globalTid, start, NULL, kind, NULL, NULL, row FROM python_samples;
CREATE TEMP VIEW host_events AS
  SELECT globalTid & 0xffffff AS thread_id, CAST(start + origin_ns AS INTEGER) AS start_ns,
         CAST("end" + origin_ns AS INTEGER) AS end_ns, kind, state, object_id, stack
  FROM (SELECT globalTid, start, "end", 0 AS kind, NULL AS state, row AS object_id, callchainId AS stack FROM their_calls
        UNION ALL
        SELECT globalTid, start, "end", 1, f.state, (SELECT id FROM range_names n WHERE n.text = f.name), callchainId
        FROM their_os_calls o JOIN os_functions f ON f.id = o.nameId
        UNION ALL
        SELECT process << 24 | thread_id, start_ns - origin_ns, end_ns - origin_ns, 1, 3, NULL, NULL
        FROM range_events CROSS JOIN chosen WHERE text = 'Waiting for GIL'
        UNION ALL
        SELECT globalTid, start,
               coalesce(lead(start) OVER (PARTITION BY globalTid ORDER BY start, isSchedIn, row),
                        CASE WHEN isSchedIn THEN (SELECT max("end") FROM their_calls) END),
               CASE WHEN isSchedIn THEN 4 WHEN threadState IN (1, 6) THEN 2 ELSE 3 END, NULL, NULL, NULL
        FROM their_switches WHERE globalTid >> 24 = (SELECT process FROM chosen)
        UNION ALL SELECT globalTid, start, "end", kind, state, object_id, stack FROM host_samples)
    CROSS JOIN chosen
  WHERE globalTid >> 24 = process AND globalTid NOT IN (SELECT id FROM their_own_threads)
    AND start + origin_ns BETWEEN 0 AND (1 << 62) - 1
    AND (kind >= 5 OR "end" + origin_ns BETWEEN start + origin_ns + 1 AND (1 << 62) - 1);

CREATE TEMP VIEW strings AS
  SELECT id, coalesce(CAST(value AS TEXT), '') AS text FROM their_texts
  WHERE id IN (SELECT coalesce(mangledName, demangledName) FROM their_kernels)
  UNION ALL SELECT id, text FROM range_names;

-- Their device ids are CUDA's; TARGET_INFO_GPU numbers the machine's.
CREATE TEMP VIEW devices AS
  SELECT coalesce(n.cudaId, g.id) AS id, coalesce(CAST(g.name AS TEXT), 'unknown GPU') AS name,
         computeMajor AS compute_capability_major, computeMinor AS compute_capability_minor,
         NULL AS copy_engines, smCount AS multiprocessors, maxWarpsPerSm AS max_warps_per_multiprocessor,
         maxBlocksPerSm AS max_blocks_per_multiprocessor,
         maxShmemPerSm AS max_shared_bytes_per_multiprocessor,
         maxRegistersPerSm AS max_registers_per_multiprocessor, NULL AS memory_bytes,
         NULL AS memory_bandwidth_kbytes_per_s,
         CASE WHEN g.uuid GLOB '???*-*' THEN CASE WHEN g.uuid GLOB 'GPU-*' OR g.uuid GLOB 'MIG-*' THEN g.uuid
              ELSE 'GPU-' || g.uuid END END AS uuid, NULL AS link_bytes_per_s
  FROM their_devices g LEFT JOIN their_device_numbers n
    ON n.gpuId = g.id AND n.pid = (SELECT process & 0xffffff FROM chosen)
  GROUP BY 1;

-- Symbols, no lines.
CREATE TEMP VIEW modules AS
  SELECT id, coalesce(CAST(value AS TEXT), '') AS path, NULL AS build_id FROM their_texts
  WHERE id IN (SELECT module_id FROM host_frames);
CREATE TEMP VIEW call_sites AS
  SELECT id, (SELECT count(*) FROM host_frames WHERE stack = native_stack) AS depth FROM host_sites;
CREATE TEMP VIEW frames AS
  SELECT s.id AS site_id, depth, (SELECT id FROM their_texts t WHERE t.id = module_id) AS module_id,
         coalesce(offset, 0) AS offset,
         (SELECT CAST(value AS TEXT) FROM their_texts t WHERE t.id = function_id) AS function, NULL AS file,
         NULL AS line, NULL AS through, NULL AS is_library
  FROM host_sites s JOIN host_frames ON stack = native_stack;
CREATE TEMP VIEW python_frames AS
  SELECT s.id AS site_id, depth, file, line, function
  FROM host_sites s JOIN host_python_frames ON stack = python_stack;

CREATE TEMP VIEW threads AS
  SELECT globalTid & 0xffffff AS id, max(CAST(value AS TEXT)) AS name
  FROM their_thread_names n JOIN their_texts t ON t.id = n.nameId
  WHERE globalTid >> 24 = (SELECT process FROM chosen) GROUP BY 1;

CREATE TEMP VIEW overheads AS
  SELECT row AS id, CASE overheadType WHEN 2 THEN 1 ELSE (overheadType - 2) * 65536 END AS kind,
         start + (SELECT origin_ns FROM chosen) AS start_ns, "end" + (SELECT origin_ns FROM chosen) AS end_ns,
         globalTid & 0xffffff AS thread_id
  FROM their_overheads
  WHERE overheadType BETWEEN 2 AND 8 AND globalTid >> 24 = (SELECT process FROM chosen);

-- Of other tables of ours they have nothing.
CREATE TEMP TABLE allocations (id, time_ns, is_release, memory_kind, address, size_bytes, device_id,
                               context_id, stream_id, correlation_id);
CREATE TEMP TABLE losses (id, kind, count, time_ns, thread_id, detail);
CREATE TEMP TABLE clock_samples (realtime_ns, monotonic_raw_ns);

-- Keys that traces of ours do not have: recorder, which names the program and its version;
-- nsys_processes, how many processes the file has; the others, which findings/foreign.def names, are 'on'
-- where rows say what it says.
CREATE TEMP VIEW metadata AS
  SELECT 'clock' AS key, 'CLOCK_REALTIME' AS value
  UNION ALL SELECT 'cupti', 'on'
  UNION ALL SELECT 'end', 'exit'
  UNION ALL SELECT 'events', 'all'
  UNION ALL SELECT 'launch_arguments', 'Nsight Systems records none'
  UNION ALL SELECT 'process_id', CAST(process & 0xffffff AS TEXT) FROM chosen WHERE process IS NOT NULL
  UNION ALL SELECT 'program', CAST(max(name) AS TEXT) FROM their_processes
    WHERE globalPid >> 24 = (SELECT process FROM chosen) HAVING max(name) IS NOT NULL
  UNION ALL SELECT 'recorder',
      coalesce((SELECT CAST(value AS TEXT) FROM their_export WHERE name = 'EXPORT_PRODUCT_NAME'), 'Nsight Systems')
      || coalesce(' ' || (SELECT CAST(value AS TEXT) FROM their_export WHERE name = 'EXPORT_PRODUCT_VERSION'), '')
  UNION ALL SELECT 'nsys_processes', CAST(count(DISTINCT globalTid >> 24) AS TEXT) FROM their_calls
  UNION ALL SELECT 'nsys_event_waits', 'on'
    WHERE EXISTS (SELECT 1 FROM their_records WHERE eventSyncId > 0)
  UNION ALL SELECT 'nsys_stacks', 'on' WHERE EXISTS (SELECT 1 FROM their_frames)
  UNION ALL SELECT 'nsys_samples', 'on' WHERE EXISTS (SELECT 1 FROM their_samples)
  UNION ALL SELECT 'nsys_waits', 'on' WHERE EXISTS (SELECT 1 FROM their_os_calls)
  UNION ALL SELECT 'nsys_switches', 'on' WHERE EXISTS (SELECT 1 FROM their_switches)
  UNION ALL SELECT 'nsys_ready', 'on' WHERE EXISTS (SELECT 1 FROM their_switches WHERE threadState IS NOT NULL)
  UNION ALL SELECT column1, 'on' FROM (VALUES ('nsys_native'), ('nsys_python'))
    WHERE (column1 = 'nsys_python' AND EXISTS (SELECT 1 FROM host_python_frames)) OR NOT EXISTS
      (SELECT 1 FROM their_processes WHERE name GLOB '*python*' AND globalPid >> 24 = (SELECT process FROM chosen))
  UNION ALL SELECT 'python', 'on: sampled by Nsight Systems' WHERE EXISTS (SELECT 1 FROM host_python_frames);
