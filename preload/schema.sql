-- The streamtrace file: one SQLite database for one traced process.
--
-- This file is the manual of the format and its only definition: libstrace.so runs it to create a
-- trace, the analyzer's tests run it to build traces by hand. Times are nanoseconds of
-- CLOCK_REALTIME, the clock that CUPTI stamps device records with on Linux. Sizes are bytes.
-- Recorded tables come first, in the order in which a trace is read; views derived from them last.
-- user_version is MAJOR * 1000 + MINOR: a new column or table is a minor version, a changed meaning
-- a major one. A reader refuses a newer major and ignores columns that it does not know.

PRAGMA application_id = 1398035011;   -- 'STRC'
PRAGMA user_version = 1001;

-- One row a fact about the run. Keys written by libstrace.so (a missing one was not to be had):
--   program, command_line, working_directory, host, process_id, rank
--   streamtrace_version, cupti_version (cuptiGetVersion's), driver_version (the kernel
--                    module's)
--   cuda_visible_devices, cuda_launch_blocking, cuda_device_max_connections: the environment's
--   clock            'CLOCK_REALTIME'
--   unknown_options  STREAMTRACE_ variables that mean nothing, comma-separated
--   start            'paused' where STREAMTRACE_START said so: only windows are recorded
--   start_ns         when the file was begun: a few ms after the first call entered, or later
--   end_ns           when the file was last written
--   end              how the program ended, once the last flush is done: 'exit', '_exit', 'abort' or
--                    'exec' (it became another program); 'running' before: a killed process keeps it
--   cupti            'on', or one line that says why device operations are missing
--   tool_cpu_ns      processor time of the writer thread
--   tool_flush_ns    from the program's exit to the last commit: what the exit waited for, nearly
CREATE TABLE metadata (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Texts that many rows share: kernel names (mangled, as CUPTI gives them).
CREATE TABLE strings (
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);

-- One row a GPU that CUPTI described. Limits decide which kernels fit beside each other.
CREATE TABLE devices (
  id                              INTEGER PRIMARY KEY,  -- CUPTI's device id
  name                            TEXT NOT NULL,
  compute_capability_major        INTEGER,
  compute_capability_minor        INTEGER,
  copy_engines                    INTEGER,  -- asynchronous copy engines (numMemcpyEngines)
  multiprocessors                 INTEGER,
  max_warps_per_multiprocessor    INTEGER,
  max_blocks_per_multiprocessor   INTEGER,
  max_shared_bytes_per_multiprocessor INTEGER,
  max_registers_per_multiprocessor INTEGER,
  memory_bytes                    INTEGER,
  memory_bandwidth_kbytes_per_s   INTEGER
);

-- One row a CUDA context. null_stream_id is the id of the legacy default stream in it.
CREATE TABLE contexts (
  id             INTEGER PRIMARY KEY,  -- CUPTI's context id, unique in the process
  device_id      INTEGER NOT NULL,
  null_stream_id INTEGER NOT NULL
);

-- One row a stream. A handle is reused after cudaStreamDestroy: between created_ns and destroyed_ns
-- it means this stream.
CREATE TABLE streams (
  context_id   INTEGER NOT NULL,
  id           INTEGER NOT NULL,  -- CUPTI's stream id, unique in its context
  flag         INTEGER,           -- 1 blocking, 2 non-blocking, 3 legacy default (null), 0 unknown
  priority     INTEGER,           -- as cudaStreamCreateWithPriority takes it: lower runs first
  handle       INTEGER,           -- the cudaStream_t, NULL where it was not seen
  created_ns   INTEGER,           -- NULL: before the trace began
  destroyed_ns INTEGER,           -- NULL: never seen to be destroyed
  PRIMARY KEY (context_id, id)
) WITHOUT ROWID;

-- One row a thread that made a traced call.
CREATE TABLE threads (
  id   INTEGER PRIMARY KEY,  -- gettid()
  name TEXT                  -- /proc/self/task/ID/comm
);

-- One row an API function that was called. Join by name across files: another version has other ids.
CREATE TABLE functions (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL,    -- without the _ptsz or _ptds suffix: calls.per_thread_stream says that
  class TEXT NOT NULL     -- what it does: copy, set, launch, graph-launch, stream-create,
                          -- stream-destroy, stream-sync, stream-query, stream-wait-event,
                          -- event-create, event-destroy, event-record, event-sync, event-query,
                          -- device-sync, alloc, free, host-alloc, host-free, register, unregister
);

-- One row an executable or library that call sites lie in.
CREATE TABLE modules (
  id       INTEGER PRIMARY KEY,
  path     TEXT NOT NULL,
  build_id TEXT             -- hexadecimal, NULL where the module has none
);

-- One row a distinct call stack, as deep as it was taken.
CREATE TABLE call_sites (
  id    INTEGER PRIMARY KEY,
  depth INTEGER NOT NULL    -- its number of rows in frames
);

-- The frames of a call site. depth 0 is the caller of the traced function; frames of libcudart, libcuda
-- and libcupti are left out. For a kernel launched by <<<>>> the first is a stub which nvcc generated,
-- with a static cudart two of its functions stand before that: the application's own frame is the
-- first one behind them.
-- Without a module the offset is the return address itself.
-- The last three columns are empty until `streamtrace run` fills them in from the debug
-- information: from then on the trace needs the program no more.
CREATE TABLE frames (
  site_id   INTEGER NOT NULL REFERENCES call_sites(id),
  depth     INTEGER NOT NULL,
  module_id INTEGER REFERENCES modules(id),  -- NULL: no module held the address
  offset    INTEGER NOT NULL,  -- return address minus the module's load address (the ELF address)
  function  TEXT,              -- mangled
  file      TEXT,
  line      INTEGER,           -- of the call, not of the return
  PRIMARY KEY (site_id, depth)
) WITHOUT ROWID;

-- One row a call of the program into CUDA. What a class does not have is NULL.
CREATE TABLE calls (
  id                INTEGER PRIMARY KEY,
  thread_id         INTEGER NOT NULL,
  function_id       INTEGER NOT NULL REFERENCES functions(id),
  start_ns          INTEGER NOT NULL,  -- at entry
  end_ns            INTEGER NOT NULL,  -- at return
  result            INTEGER NOT NULL,  -- cudaError_t (door 0) or CUresult (door 1); 0 success
  door              INTEGER NOT NULL,  -- 0 wrapper of the runtime API, 1 CUPTI's driver callback
  per_thread_stream INTEGER NOT NULL,  -- 1: handle 0 means the per-thread default stream
  site_id           INTEGER REFERENCES call_sites(id),
  correlation_id    INTEGER,           -- of its operation; more of them in correlations
  stream_handle     INTEGER,           -- the cudaStream_t; 0 default, 1 legacy, 2 per-thread
  object            INTEGER,           -- handle of the event, kernel, graph or array; stream created
  dst               INTEGER,           -- address written, allocated, freed or registered
  src               INTEGER,           -- address read
  size_bytes        INTEGER,
  copy_kind         INTEGER            -- cudaMemcpyKind: 0 H2H 1 H2D 2 D2H 3 D2D 4 default
);

-- Further operations of one call, beyond calls.correlation_id.
CREATE TABLE correlations (
  correlation_id INTEGER PRIMARY KEY,
  call_id        INTEGER NOT NULL REFERENCES calls(id)
);

-- One row a thing that the device did. Memory kinds are CUPTI's: 1 pageable, 2 pinned, 3 device,
-- 4 array, 5 managed, 6 device static, 7 managed static.
CREATE TABLE operations (
  id             INTEGER PRIMARY KEY,
  kind           INTEGER NOT NULL,  -- 1 kernel, 2 copy, 3 set
  start_ns       INTEGER,           -- NULL: CUPTI gave no time (counted in losses as 'untimed')
  end_ns         INTEGER,
  device_id      INTEGER NOT NULL,
  context_id     INTEGER NOT NULL,
  stream_id      INTEGER NOT NULL,
  correlation_id INTEGER NOT NULL,
  graph_node_id  INTEGER,           -- of a graph launch; its nodes share one correlation_id
  channel_id     INTEGER,           -- the hardware queue
  channel_type   INTEGER,           -- 1 compute, 2 copy engine, 3 decompression engine
  -- kernels
  name_id        INTEGER REFERENCES strings(id),
  grid_x         INTEGER,
  grid_y         INTEGER,
  grid_z         INTEGER,
  block_x        INTEGER,
  block_y        INTEGER,
  block_z        INTEGER,
  registers_per_thread   INTEGER,
  static_shared_bytes    INTEGER,
  dynamic_shared_bytes   INTEGER,
  local_bytes_per_thread INTEGER,
  -- copies and sets
  copy_kind      INTEGER,           -- CUPTI: 1 H2D 2 D2H 3 H2A 4 A2H 5 A2A 6 A2D 7 D2A 8 D2D 9 H2H 10 peer
  src_kind       INTEGER,
  dst_kind       INTEGER,           -- a set has only this one
  is_async       INTEGER,           -- 1: an asynchronous form of the call
  size_bytes     INTEGER,
  src_device_id  INTEGER,           -- peer copies
  dst_device_id  INTEGER
);

-- One row a cudaEventRecord that CUPTI saw. Handles and event ids are reused: join on sync_id.
CREATE TABLE event_records (
  id             INTEGER PRIMARY KEY,
  context_id     INTEGER NOT NULL,
  stream_id      INTEGER NOT NULL,
  event_id       INTEGER NOT NULL,
  correlation_id INTEGER NOT NULL,
  sync_id        INTEGER              -- cudaEventSyncId
);

-- One row a synchronization that CUPTI saw.
CREATE TABLE synchronizations (
  id             INTEGER PRIMARY KEY,
  type           INTEGER NOT NULL,   -- 1 event, 2 a stream waits for an event, 3 stream, 4 context
  start_ns       INTEGER,
  end_ns         INTEGER,
  context_id     INTEGER NOT NULL,
  stream_id      INTEGER,            -- NULL where the type has none
  event_id       INTEGER,
  correlation_id INTEGER NOT NULL,
  sync_id        INTEGER             -- event_records.sync_id waited for
);

-- One row an allocation or a release, device or pinned or managed memory.
CREATE TABLE allocations (
  id             INTEGER PRIMARY KEY,
  time_ns        INTEGER NOT NULL,
  is_release     INTEGER NOT NULL,
  memory_kind    INTEGER NOT NULL,   -- as in operations
  address        INTEGER NOT NULL,
  size_bytes     INTEGER NOT NULL,
  device_id      INTEGER,
  context_id     INTEGER,
  stream_id      INTEGER,            -- stream-ordered ones only
  correlation_id INTEGER
);

-- One row a window: a time in which the program was recorded. A call is recorded when it began in
-- one; an operation when its call did or it ran in one itself, so that it can lie outside in part.
-- Devices, contexts, streams and allocations are recorded outside, too. Without a row the whole run is
-- one window. cause: what opened it: 'start' (of the tracing), 'call' (streamtrace_start()),
-- 'signal', 'profiler' (cudaProfilerStart()).
CREATE TABLE windows (
  id       INTEGER PRIMARY KEY,
  start_ns INTEGER NOT NULL,
  end_ns   INTEGER,             -- NULL: it was open when the trace ended
  cause    TEXT NOT NULL
);

-- Time that CUPTI or the driver says was overhead: 1 driver compiler, 65536 buffer flush,
-- 131072 instrumentation, 196608 resource, 262144 module loading, 327680 lazy function loading,
-- 393216 command buffer full (a launch waited for the queue), 458752 activity buffer request,
-- 524288 set-up of tracing managed memory.
CREATE TABLE overheads (
  id       INTEGER PRIMARY KEY,
  kind     INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns   INTEGER NOT NULL,
  thread_id INTEGER
);

-- One row for each thing that was lost or could not be seen. Kinds:
--   ring-overflow     calls dropped because the writer fell behind; thread_id says whose
--   cupti-dropped     device records that CUPTI dropped
--   cupti-discarded   device records that no buffer could be had for
--   untimed           device records with a zero or backward time (kept, with NULL times)
--   clock-step        CLOCK_REALTIME moved against CLOCK_MONOTONIC_RAW by so many ns (in count)
--   unknown-record    device records of a kind that this version does not read
--   file-error        the file could not be written: rows dropped
--   cupti-error       a CUPTI call failed; detail names it
CREATE TABLE losses (
  id        INTEGER PRIMARY KEY,
  kind      TEXT NOT NULL,
  count     INTEGER NOT NULL,
  time_ns   INTEGER NOT NULL,   -- when it was noticed
  thread_id INTEGER,
  detail    TEXT
);

-- The two clocks read together, once a flush: a step of CLOCK_REALTIME shows here.
CREATE TABLE clock_samples (
  realtime_ns      INTEGER NOT NULL,
  monotonic_raw_ns INTEGER NOT NULL
);

---------------------------------------------------------------------------------------------------
-- Derived. Nothing below is recorded.

-- Every operation's correlation with the call that enqueued it.
CREATE VIEW call_correlations AS
  SELECT correlation_id, id AS call_id FROM calls WHERE correlation_id IS NOT NULL
  UNION ALL
  SELECT correlation_id, call_id FROM correlations;

-- Calls with names: `select * from named_calls limit 20`.
CREATE VIEW named_calls AS
  SELECT c.id, f.name, f.class, c.thread_id, c.start_ns, c.end_ns, c.end_ns - c.start_ns AS duration_ns,
         c.result, c.stream_handle, c.size_bytes, c.site_id, c.correlation_id
  FROM calls c JOIN functions f ON f.id = c.function_id;

-- Where the host's time in CUDA went: `select * from top_calls`.
CREATE VIEW top_calls AS
  SELECT name, count(*) AS calls, sum(duration_ns) AS total_ns, max(duration_ns) AS longest_ns,
         sum(result <> 0) AS errors
  FROM named_calls GROUP BY name ORDER BY total_ns DESC;

-- Where the device's time went: `select * from top_operations`.
CREATE VIEW top_operations AS
  SELECT CASE o.kind WHEN 1 THEN s.text WHEN 3 THEN 'set'
           ELSE 'copy ' || CASE o.copy_kind WHEN 1 THEN 'H2D' WHEN 2 THEN 'D2H' WHEN 8 THEN 'D2D'
                             WHEN 10 THEN 'peer' ELSE 'other' END
                || CASE WHEN 1 IN (o.src_kind, o.dst_kind) THEN ' pageable' ELSE '' END END AS name,
         count(*) AS operations, sum(o.end_ns - o.start_ns) AS total_ns, sum(o.size_bytes) AS size_bytes
  FROM operations o LEFT JOIN strings s ON s.id = o.name_id GROUP BY 1 ORDER BY total_ns DESC;

-- How many operations have their call: matched should equal operations.
CREATE VIEW matched_operations AS
  SELECT o.kind, count(*) AS operations, sum(k.call_id IS NOT NULL) AS matched
  FROM operations o
  LEFT JOIN (SELECT correlation_id, min(call_id) AS call_id FROM call_correlations GROUP BY 1) k
    ON k.correlation_id = o.correlation_id
  GROUP BY o.kind;

-- Which lines called into CUDA, and for how long: `select * from top_sites`. Lines are there once
-- `streamtrace run` has filled them in; before, the place in the module.
CREATE VIEW top_sites AS
  SELECT coalesce(f.file || ':' || f.line, m.path || '+' || f.offset) AS site, n.name,
         count(*) AS calls, sum(n.duration_ns) AS total_ns, max(n.duration_ns) AS longest_ns
  FROM named_calls n
  JOIN frames f ON f.site_id = n.site_id
    AND f.depth = (SELECT min(g.depth) FROM frames g WHERE g.site_id = n.site_id
                   AND coalesce(g.function, '') NOT LIKE '%device_stub%')
  LEFT JOIN modules m ON m.id = f.module_id
  GROUP BY 1, 2 ORDER BY total_ns DESC;
