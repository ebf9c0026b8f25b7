-- The streamtrace file: one SQLite database for one traced process.
--
-- This file is the manual of the format and its only definition: libstrace.so runs it to create a
-- trace, the analyzer's tests run it to build traces by hand. Times are nanoseconds of
-- CLOCK_REALTIME, the clock that CUPTI stamps device records with on Linux. Sizes are bytes.
-- Recorded tables come first, in the order in which a trace is read; views derived from them last.
-- user_version is MAJOR * 1000 + MINOR: a new column or table is a minor version, a changed meaning
-- a major one. A reader refuses a newer major and ignores columns that it does not know.

PRAGMA application_id = 1398035011;   -- 'STRC'
PRAGMA user_version = 2010;

-- One row a fact about the run. Keys written by libstrace.so (a missing key: the fact is not known):
--   program, command_line, working_directory, host, process_id
--   rank, ranks, local_rank: of the process in its job, the job's processes, its place on its machine, as
--                    the launcher's environment has them
--   run              which run of a job it is, the same for all of its processes: 'torchelastic:',
--                    'pmix:', 'ompi:', 'slurm:' or 'master:' and what the launcher calls it. Since format 2.3
--   traced_by        STREAMTRACE_RUN: all traces of one `streamtrace run` have the same value. Since
--                    format 2.3
--   boot_id          the kernel's name for its run: traces with the same one share a clock. Since format 2.3
--   streamtrace_version, cupti_version (cuptiGetVersion's), driver_version (the kernel
--                    module's)
--   host_cpus        processors that the process may use
--   host_quota_ns_per_s  processor time that its control group allows it, ns a second, all threads together
--                    (cpu.max of cgroup version 2); missing if there is no limit. Since format 2.6
--   cuda_visible_devices, cuda_launch_blocking, cuda_device_max_connections: the environment's
--   clock            'CLOCK_REALTIME'
--   unknown_options  environment variables STREAMTRACE_... that do not exist, and NAME=value of wrong
--                    values, comma-separated
--   start            'paused' with STREAMTRACE_START=paused: only windows are recorded
--   steps            STREAMTRACE_STEPS: only windows of these steps are recorded
--   start_ns         when the file was created: a few ms after the entry of the first call, or later
--   end_ns           when the file was last written
--   end              how the program ended, written after the last flush: 'exit', '_exit', 'abort' or
--                    'exec' (it became another program). Until then, and for ever in a process that
--                    was killed: 'running'. 'incident': the program went on (incidents). Since format 2.9
--   log              'read': what is read is the file with its write-ahead log (FILE-wal), or needs none;
--                    'unread': it is the file alone, of which newer rows are in the log. Earlier versions
--                    of the library did not write it
--   cupti            'on', or one line that says why device operations are missing
--   managed_memory   'on', or CUPTI's reason why page faults and migrations are not recorded; missing
--                    when no call allocated managed memory (__managed__ variables do not count)
--   events           'all': calls that record and query events are recorded on every API entry path;
--                    'wrappers': only on api_path 0 (STREAMTRACE_EVENTS=0). Missing before format 1.1,
--                    which means 'wrappers'
--   event_waits      'calls': which stream waits for which event follows from the calls alone, and
--                    event_records and synchronizations are empty; 'cupti': these have it
--                    (STREAMTRACE_EVENTS=0). Missing before format 1.5, which means 'cupti'
--   launch_arguments 'on' if the driver reports the parameters of kernels, else why it does not;
--                    missing if nothing was launched
--   python           'on: VERSION' if Python's frames are read, else which Python runs and why its
--                    frames are not read; missing if no Python runs
--   nvtx             'on' if NVTX ranges were recorded; 'off: ' and why if another library of the
--                    environment has them; missing if the program has not used NVTX
--   host_states      'on' if host_states were recorded, 'on: ' and what could not be seen of them, or why they
--                    were not; missing before format 2.5
--   first_use        'on' if first uses were recorded (STREAMTRACE_FIRST_USE), else why they were not,
--                    or why that ended early; missing if the option was not set
--   races            'on' if copy_watches were recorded (STREAMTRACE_RACES), else why they were not, or why
--                    that ended early; missing if the option was not set. Since format 2.7
--   host_look_ns     how far the looks of host_states were apart at the end. In watch mode they were 10 ms
--                    apart or more before the incident
--   host_cpu_ns      processor time of the thread that looked
--   tool_cpu_ns      processor time of the writer thread
--   tool_flush_ns    from the program's exit to the last commit: about how long the exit was delayed
-- Keys written by `streamtrace run`:
--   source_lines     'stored': the last columns of frames have all that the files of the modules say, and
--                    these are not read again; missing where one of the files was not there
-- Keys written by `streamtrace run` if the program copied pageable memory. What a copy between pinned
-- memory and the device takes on this machine is latency + bytes / rate (not written where the
-- program's own copies show it); likewise what it takes to pin memory, what page faults add where the
-- host writes to new memory, what it takes to give memory back, and a copy to pageable memory that is
-- not new:
--   pinned_h2d_bytes_per_s, pinned_h2d_latency_ns, pinned_d2h_bytes_per_s, pinned_d2h_latency_ns,
--   pinning_bytes_per_s, pinning_latency_ns, page_faults_bytes_per_s, unmapping_bytes_per_s,
--   staged_d2h_bytes_per_s
-- Key written by `streamtrace run` if the program copied from one device to another: how fast a direct copy
-- between the two devices with the most of these bytes is; 0: they cannot reach each other:
--   peer_bytes_per_s
-- Keys written by `streamtrace run` if the calls are many, ns: what CUPTI adds to a call of a class on
-- this machine (CLASS: launch, copy, event_record, stream_sync, stream_query; PATH: runtime, driver, as
-- calls.api_path), in a loop of such calls (warm), and where memory is used between them (cold); what
-- such a traced call took there (the lower quartile of its times); and by how much later a kernel
-- and a copy start right behind something in their stream:
--   cupti_PATH_CLASS_warm_ns, cupti_PATH_CLASS_cold_ns, call_PATH_CLASS_warm_ns, call_PATH_CLASS_cold_ns,
--   cupti_kernel_gap_ns, cupti_copy_gap_ns
CREATE TABLE metadata (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- Texts that many rows share: kernel names, mangled, as CUPTI reports them; names of ranges.
CREATE TABLE strings (
  id   INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);

-- One row a GPU that CUPTI described. The limits decide which kernels can run at the same time.
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
  memory_bandwidth_kbytes_per_s   INTEGER,
  uuid                            TEXT,     -- 'GPU-...', a MIG device's 'MIG-...', as nvidia-smi has it
  link_bytes_per_s                INTEGER   -- each way, of its PCI Express link: transfers a second by
                                            -- width, without the encoding's share
);

-- One row a CUDA context. null_stream_id is the id of the legacy default stream in it.
CREATE TABLE contexts (
  id             INTEGER PRIMARY KEY,  -- CUPTI's context id, unique in the process
  device_id      INTEGER NOT NULL,
  null_stream_id INTEGER NOT NULL
);

-- One row a stream. CUDA reuses the handle after cudaStreamDestroy: it means this stream between
-- created_ns and destroyed_ns.
CREATE TABLE streams (
  context_id   INTEGER NOT NULL,
  id           INTEGER NOT NULL,  -- CUPTI's stream id, unique in its context
  flag         INTEGER,           -- 1 blocking, 2 non-blocking, 3 legacy default (null), 0 unknown
  priority     INTEGER,           -- as cudaStreamCreateWithPriority takes it: lower runs first
  handle       INTEGER,           -- the cudaStream_t, NULL if it is not known
  created_ns   INTEGER,           -- NULL: before the trace began
  destroyed_ns INTEGER,           -- NULL: not destroyed during the trace
  PRIMARY KEY (context_id, id)
) WITHOUT ROWID;

-- One row a thread that made a traced call, or that has host_states.
CREATE TABLE threads (
  id   INTEGER PRIMARY KEY,  -- gettid()
  name TEXT                  -- /proc/self/task/ID/comm
);

-- One row a thread that made a traced call, from its first one to its end, or to that of the tracing: what
-- /proc/self/task/ID/schedstat counted meanwhile. No row where the kernel does not tell, or the thread was killed.
CREATE TABLE thread_times (
  id        INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL,
  start_ns  INTEGER NOT NULL,
  end_ns    INTEGER NOT NULL,
  cpu_ns    INTEGER NOT NULL,  -- on a processor
  ready_ns  INTEGER NOT NULL,  -- ready to run, and without a processor
  runs      INTEGER NOT NULL   -- how often it got one: after each sleep, and when another thread had it
);

-- What the host's threads did, of those that made a traced call and of those that ran meanwhile: a thread of
-- the library looks at each of them once in host_look_ns (the metadata), and less often the longer the run
-- takes. One row for looks in sequence that found a thread in the same state with the same stack; one that
-- lasts an eighth of the run is cut. Between start_ns and end_ns it may have been in another state, for less
-- than a look's distance.
-- Since format 2.5. state:
--   0 running                  on a processor, or ready for one (ready_ns)
--   1 asleep                   until a time: nanosleep() and the like
--   2 waiting for a thread     in a futex: a lock, a condition, a semaphore, the end of a thread
--   3 waiting for the interpreter  for the lock that lets one thread at a time run Python
--   4 waiting for input        or output: reading, writing or polling a file, a pipe, a socket
--   5 waiting for a child      for the end of a process
--   6 in the driver            in an ioctl() of a device's file
--   7 in the kernel            asleep in another system call: mapping and unmapping memory, opening a file
--   8 collecting garbage       running, and Python looks for objects that nothing refers to
--   9 stopped with its process by SIGSTOP or a debugger, or the machine stood still: the look came late, and not for
--                              want of a processor. Only in watch mode, since format 2.9
CREATE TABLE host_states (
  id        INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL,
  start_ns  INTEGER NOT NULL,  -- of the first look, or of the sample that it had asked for
  end_ns    INTEGER NOT NULL,  -- of the next row, of the next look after the last one, or of the thread's end
  state     INTEGER NOT NULL,
  looks     INTEGER NOT NULL,  -- how many looks found it so
  ready_ns  INTEGER,           -- how long of that it had no processor, being ready to run; NULL: not known
  faults    INTEGER,           -- how often of that it touched memory that had no page yet; NULL: not known
  system_ns INTEGER,           -- how long of that it ran in the kernel, in steps of some ms; NULL: not known.
                               -- Since format 2.6
  site_id   INTEGER REFERENCES call_sites(id),  -- its stack. Depth 0 of frames is where it was, its
                               -- offset one byte more, as if it were a return address. NULL: not known
  object    INTEGER,           -- what it waited for: state 2 and 3 the futex's address, 4 and 6 the
                               -- descriptor, -1: several of them, 5 the process id, 7 the number of the
                               -- system call; else NULL
  object_id INTEGER REFERENCES strings(id)  -- its name: a file's path, 'pipe', 'socket', 'mutex', 'munmap';
                               -- NULL: it has none
);

-- One row an API function that was called. Another version of streamtrace uses other ids: compare
-- files by name.
CREATE TABLE functions (
  id    INTEGER PRIMARY KEY,
  name  TEXT NOT NULL,    -- without the _ptsz or _ptds suffix: calls.per_thread_stream says that
  class TEXT NOT NULL     -- what it does: copy, set, launch, graph-launch, stream-create,
                          -- stream-destroy, stream-sync, stream-query, stream-wait-event,
                          -- event-create, event-destroy, event-record, event-sync, event-query,
                          -- event-elapsed, device-sync, alloc, free, host-alloc, host-free, register,
                          -- unregister, host-function, graph-capture, graph-build,
                          -- graph-instantiate, graph-update, graph-upload, graph-destroy, managed
                          -- (prefetches and advice), pool
);

-- One row an executable or library that contains call sites.
CREATE TABLE modules (
  id       INTEGER PRIMARY KEY,
  path     TEXT NOT NULL,
  build_id TEXT             -- hexadecimal, NULL where the module has none
);

-- One row a distinct call stack of 64 frames at most. A call has a stack of its own if it took 100 us
-- or more (1 ms, if frames of varying size are on the stack) or if it is the first of its site. A
-- faster call has the stack of the first call with the same innermost frames: up to the sixth frame
-- of the program's executable, at most 24. Frames beyond those, and beyond the first frame of varying
-- size, can be those of the other call. A stack of one frame can mean that the table was full
-- (losses: stack-table-full).
CREATE TABLE call_sites (
  id    INTEGER PRIMARY KEY,
  depth INTEGER NOT NULL    -- its number of rows in frames
);

-- The frames of a call site. depth 0 is the caller of the traced function; frames of libcudart, libcuda
-- and libcupti are left out. For a kernel launched by <<<>>> the first frame is a stub that nvcc
-- generated, and with a static cudart two functions of cudart come before it: the application's own
-- frame is the first one after these.
-- Without a module the offset is the return address itself.
-- The last five columns are NULL until `streamtrace run` fills them in from the debug information.
-- Where calls were inlined one row stands for several functions: the innermost that is the program's
-- own, or else the outermost.
-- After that the program is not needed to read the trace.
CREATE TABLE frames (
  site_id   INTEGER NOT NULL REFERENCES call_sites(id),
  depth     INTEGER NOT NULL,
  module_id INTEGER REFERENCES modules(id),  -- NULL: the address was in no module
  offset    INTEGER NOT NULL,  -- return address minus the module's load address (the ELF address)
  function  TEXT,              -- mangled
  file      TEXT,
  line      INTEGER,           -- of the call, not of the return
  through   TEXT,              -- a library's function that the line calls and that was inlined, mangled:
                               -- the outermost of those that led to the call. NULL: there is none.
                               -- Since format 1.4
  is_library INTEGER,          -- 1: the file is a library's header, compiled into the program. Since
                               -- format 1.4
  PRIMARY KEY (site_id, depth)
) WITHOUT ROWID;

-- Under Python, the frames of Python code in the same stack, innermost first. The metadata's `python`
-- says whether they were recorded; a call made by a thread that runs no Python has none.
CREATE TABLE python_frames (
  site_id   INTEGER NOT NULL REFERENCES call_sites(id),
  depth     INTEGER NOT NULL,  -- 0 is the innermost
  file      TEXT NOT NULL,     -- as Python names it: '<string>' for python -c
  line      INTEGER,           -- NULL: the instruction has none
  function  TEXT NOT NULL,     -- qualified: 'Model.forward'
  PRIMARY KEY (site_id, depth)
) WITHOUT ROWID;

-- One row a source file of the program's own that frames or python_frames name, as `streamtrace run` found
-- it when the program had ended: what shows later whether it has changed. A file that is missing then, or
-- was written after the trace began, has no row. Since format 2.6.
CREATE TABLE source_files (
  file  TEXT NOT NULL PRIMARY KEY,  -- as the frames name it
  hash  INTEGER NOT NULL            -- of its bytes: FNV-1a of 64 bits
) WITHOUT ROWID;

-- One row a finding whose fix `streamtrace try --trace FILE` or `try -o FILE` made in the running program, and what came
-- of it. Rows with the same number in `trial` were tried together: predicted and tried times are of all of them. A
-- later row of a finding counts, not an earlier one. Since format 2.10.
CREATE TABLE trials (
  id                INTEGER PRIMARY KEY,
  trial             INTEGER NOT NULL,
  finding           TEXT NOT NULL,     -- the report's id of it: 'free-sync'
  place             TEXT NOT NULL,     -- its lines as the report names them: 'app.cu:40'
  fix               TEXT NOT NULL,     -- 'held-free'
  verdict           TEXT NOT NULL,     -- JSON's of `try`: 'saves', 'results-differ'
  outcome           TEXT NOT NULL,     -- the same as a sentence's end, with the percentage, the interval and the number of pairs
  predicted_low_ns  INTEGER NOT NULL,  -- what the replay of the trace said
  predicted_ns      INTEGER NOT NULL,
  predicted_high_ns INTEGER NOT NULL,
  tried_low_ns      INTEGER,           -- the interval's ends; below 0: the fix costs time. All three are NULL where
  tried_ns          INTEGER,           -- nothing is said of a saving
  tried_high_ns     INTEGER
);

-- One row a call of the program into CUDA. Columns that a class of functions does not have are NULL.
CREATE TABLE calls (
  id                INTEGER PRIMARY KEY,
  thread_id         INTEGER NOT NULL,
  function_id       INTEGER NOT NULL REFERENCES functions(id),
  start_ns          INTEGER NOT NULL,  -- at entry
  end_ns            INTEGER NOT NULL,  -- at return
  result            INTEGER NOT NULL,  -- cudaError_t (api_path 0) or CUresult (api_path 1); 0 success
  api_path          INTEGER NOT NULL,  -- how the call was seen: 0 by a wrapper of the runtime API, 1 by
                                       -- CUPTI's driver callback. Called `door` before format 1.3
  per_thread_stream INTEGER NOT NULL,  -- 1: handle 0 means the per-thread default stream
  site_id           INTEGER REFERENCES call_sites(id),
  correlation_id    INTEGER,           -- of its operation (more of them in correlations), event
                                       -- record, synchronization or allocation
  stream_handle     INTEGER,           -- the cudaStream_t; 0 default, 1 legacy, 2 per-thread
  object            INTEGER,           -- handle of the event, kernel, graph or array; stream created;
                                       -- of an elapsed time its end event; of a copy to the device
                                       -- a hash (below)
  dst               INTEGER,           -- address written, allocated, freed or registered
  src               INTEGER,           -- address read; of a call that instantiates or clones a graph, or
                                       -- updates an executable one from it: that graph (since format 2.8)
  size_bytes        INTEGER,
  copy_kind         INTEGER,           -- cudaMemcpyKind: 0 H2H 1 H2D 2 D2H 3 D2D 4 default
  arguments_id      INTEGER,           -- launch_arguments.id of a launch. NULL with numbers: it passes no
                                       -- pointer; NULL without: not seen, or no parameters
  numbers           INTEGER,           -- a hash (1 to 65535) of a launch's arguments of 4 or 8 bytes that
                                       -- are no such pointers: equal numbers, equal hash. NULL: not
                                       -- seen. Since format 1.5. Since format 2.2 also of a copy of
                                       -- consecutive bytes between host and device (below)
  context_id        INTEGER            -- the context (contexts.id) in which a stream or the device is
                                       -- synchronized, an event recorded, or waited for by a stream.
                                       -- Since format 1.5
);

-- calls.numbers of a copy: of what it read on the host when its call returned, or, where the call waited
-- for a copy to the host, of what that wrote. The lowest 31 bits are a hash, not 0; bit 31 is set where
-- all bytes were hashed, else it is of some: min(max(size_bytes / 4096, 8), 64) lines of 64 bytes, spread
-- evenly. Of more than so many lines all bytes are hashed only where these lines repeat those of the two
-- copies before it from or to the same device memory, of the same size, and of most repetitions not; of copies to the host, and of those back,
-- only where such a one was sent back as it was before. Where three copies in a row brought something
-- else, one is left out, then 3, 7 and so on up to 63, and two have a hash in between. NULL: under 256
-- bytes, left out, or the memory is not known to be the host's own, the copy was captured into a graph, is
-- of rows with gaps, or one to the host that its call did not wait for. Always NULL with
-- STREAMTRACE_CONTENT=0.
--
-- Since format 1.5. Calls as bytes: each row is some thousand calls of a thread, or fewer, as four times a
-- second what there is becomes a row. They are calls like those above, with the ids first_id,
-- first_id + 1, ... in order, which no row of calls has. At the program's exit a trace with no more than
-- 8,192 calls, operations and launch arguments gets rows of all of them, and no blocks; a larger one, and
-- one of a program that was killed, when `streamtrace unpack FILE` is run on it. All commands of streamtrace
-- read blocks as they are; the views below do not, and say so.
--
-- The bytes are numbers, each in 7 bits a byte, lowest bits first; all bytes of a number but its last
-- have the bit 128. Where a difference d can be negative the number is 2 * d, or -2 * d - 1. Differences
-- are modulo 2^64.
--   n, at most 256; then n shapes: what many calls have in common, three numbers each:
--     function_id
--     bits: 1 api_path, 2 per_thread_stream; what is not NULL: 4 correlation_id, 8 stream_handle,
--           16 object, 32 dst, 64 src, 128 size_bytes, 1024 copy_kind
--     site_id; 0: NULL
--   m, at most 512; then m numbers: the arguments_id that occur
--   then each call:
--     2 * i + c; i: its shape, counted from 0; c is 1: some of the columns below differ from those of
--           the call before it with this shape (the first one: from 0)
--     difference of start_ns to end_ns of the call before it in the block (the first one: to 0)
--     end_ns - start_ns
--     if the shape has it, difference of correlation_id to that of the last call before it in the block
--           that has one (the first one: to 0)
--     if c is 1: the sum of the bits of those columns that differ, and the difference of each, in this
--           order: 1 stream_handle, 2 object, 4 dst, 8 src, 16 size_bytes, 32 arguments_id, 64 numbers,
--           128 copy_kind, 256 result, 512 context_id. Of numbers and context_id 0 is NULL. Of
--           arguments_id it is not the id: 0 is NULL, else its place in the list of m, counted from 1
CREATE TABLE call_blocks (
  first_id  INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL,
  calls     INTEGER NOT NULL,
  bytes     BLOB NOT NULL
);

-- The pointers that launches pass to their kernels. Launches with the same pointers share one set. One
-- row an aligned word of a parameter, or of a struct passed by value, whose value lies within 1 GiB of
-- device, managed or pinned memory that was ever allocated. Since format 2.4 also one a parameter of 8
-- bytes whose value is 2^32 to 2^48: it may point to memory whose allocation was not seen. Some are other
-- numbers. A launch has no set if the driver does not report parameters (before 12.4), if they have more
-- than 4 KB or 64 such words (before format 2.4 such a launch has calls.numbers), or if no word is one.
-- Memory that a kernel reaches in another way is not here: by a pointer in memory, a __device__ variable,
-- a texture. allocations has the variables: memory kind 6 (__device__, __constant__, a kernel's texts) and
-- 7 (__managed__).
CREATE TABLE launch_arguments (
  id           INTEGER NOT NULL,
  position     INTEGER NOT NULL,  -- in the set, from 0
  parameter    INTEGER NOT NULL,  -- index of the kernel's parameter
  offset_bytes INTEGER NOT NULL,  -- in the parameter
  address      INTEGER NOT NULL,
  PRIMARY KEY (id, position)
) WITHOUT ROWID;

-- Since format 2.0. Launch arguments as bytes, as call_blocks has calls: of the sets with the ids first_id,
-- first_id + 1, ..., which no row of launch_arguments has. The bytes are numbers as there. Each set:
--   n, at most 64; then n arguments:
--     2 * d + c; d: difference of parameter to that of the one before in the set (the first one: to 0), as a
--           number that can be negative; c is 1: offset_bytes is not 0
--     if c is 1, offset_bytes
--     difference of address to that of the last argument before it in the block with the same position (the
--           first one: to 0)
CREATE TABLE argument_blocks (
  first_id  INTEGER PRIMARY KEY,
  sets      INTEGER NOT NULL,
  arguments INTEGER NOT NULL,  -- of all sets
  bytes     BLOB NOT NULL
);

-- Further operations of one call, beyond calls.correlation_id.
CREATE TABLE correlations (
  correlation_id INTEGER PRIMARY KEY,
  call_id        INTEGER NOT NULL REFERENCES calls(id)
);

-- One row an operation of the device. Memory kinds are CUPTI's: 1 pageable, 2 pinned, 3 device,
-- 4 array, 5 managed, 6 device static, 7 managed static.
CREATE TABLE operations (
  id             INTEGER PRIMARY KEY,
  kind           INTEGER NOT NULL,  -- 1 kernel, 2 copy, 3 set, 4 graph: all nodes of a launch, from the
                                    -- first one's start to the last one's end (STREAMTRACE_GRAPHS=whole,
                                    -- since format 2.9)
  start_ns       INTEGER,           -- NULL: CUPTI reported no time (counted in losses as 'untimed')
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
  local_bytes_per_thread INTEGER,   -- where CUPTI has only the total: what is reserved for each resident thread
  -- copies and sets
  copy_kind      INTEGER,           -- CUPTI: 1 H2D 2 D2H 3 H2A 4 A2H 5 A2A 6 A2D 7 D2A 8 D2D 9 H2H 10 peer
  src_kind       INTEGER,
  dst_kind       INTEGER,           -- a set has only this one
  is_async       INTEGER,           -- 1: by an asynchronous function
  size_bytes     INTEGER,
  src_device_id  INTEGER,           -- peer copies
  dst_device_id  INTEGER
);

-- Since format 2.0. Operations as bytes, as call_blocks has calls: with the ids first_id, first_id + 1, ...,
-- which no row of operations has. The bytes are numbers as there. Those of a shape are 0 for NULL, else 1
-- more than a number that can be negative. Each operation:
--   2 * i + c; i: its shape, counted from 0; c is 1: it has bits
--   if i is the number of shapes so far, a new one, which many operations have in common. Columns of
--     operations: kind, device_id, context_id, stream_id, channel_id, channel_type, copy_kind, src_kind,
--     dst_kind, is_async, src_device_id, dst_device_id; then the id of its row of kernel_configurations; then
--     graph_node_id and size_bytes as they are before this operation
--   if c is 1, the sum of its bits: 1 graph_node_id differs from that of the operation before it with this
--     shape, 2 size_bytes does, 4 it has no times
--   if it has times: difference of start_ns to end_ns of the operation before it in the block that has
--     times (the first one: to 0); end_ns - start_ns
--   difference of correlation_id to that of the operation before it in the block (the first one: to 0)
--   with bit 1, the difference of graph_node_id; with bit 2, that of size_bytes
CREATE TABLE operation_blocks (
  first_id   INTEGER PRIMARY KEY,
  operations INTEGER NOT NULL,
  bytes      BLOB NOT NULL
);

-- Since format 2.0. One row a way in which a kernel was launched: what operations in operation_blocks have of
-- it. The columns are those of operations.
CREATE TABLE kernel_configurations (
  id                     INTEGER PRIMARY KEY,
  name_id                INTEGER REFERENCES strings(id),
  grid_x                 INTEGER,
  grid_y                 INTEGER,
  grid_z                 INTEGER,
  block_x                INTEGER,
  block_y                INTEGER,
  block_z                INTEGER,
  registers_per_thread   INTEGER,
  static_shared_bytes    INTEGER,
  dynamic_shared_bytes   INTEGER,
  local_bytes_per_thread INTEGER
);

-- One row a node of a CUDA graph. Instantiating a graph clones its nodes; cuGraphClone and child graphs
-- do so too. An operation names the node of the executable graph. To find the call that captured or
-- added it, follow source_id to the end (view node_calls). cudaGraphExecUpdate keeps the nodes: after
-- it the operation is the one of another graph's node of the same kind.
CREATE TABLE graph_nodes (
  id        INTEGER PRIMARY KEY,  -- CUPTI's, unique in the process: operations.graph_node_id
  source_id INTEGER,              -- the node that it was cloned from; NULL: captured or added
  graph_id  INTEGER NOT NULL,     -- CUPTI's, unique in the process
  kind      INTEGER NOT NULL,     -- CUgraphNodeType: 0 kernel 1 copy 2 set 3 host function 4 child graph
                                  -- 5 empty 6 event wait 7 event record 8 semaphore signal 9 semaphore
                                  -- wait 10 allocation 11 release 12 batch of memory operations
                                  -- 13 conditional. Of captured nodes CUPTI 13.0 says 0, whatever they are
  call_id   INTEGER REFERENCES calls(id)  -- the call that was captured, or that added or cloned the
                                          -- node; NULL: that call is not recorded
);

-- Since format 2.8. One row an edge of a CUDA graph, asked of the driver (cuGraphGetEdges) when the graph
-- is made executable. The executable graph has the same edges between the nodes that were cloned from
-- these (graph_nodes.source_id), unless the edges of a child graph lie between. A graph has all of its
-- edges here, unless losses have graph-edges-lost: then graphs can lack all or some.
CREATE TABLE graph_edges (
  from_id   INTEGER NOT NULL,     -- graph_nodes.id: this one comes first
  to_id     INTEGER NOT NULL,     -- graph_nodes.id
  kind      INTEGER NOT NULL,     -- CUgraphDependencyType: 0 full: to_id starts when from_id is done,
                                  -- 1 programmatic: it may start before (programmatic dependent launch).
                                  -- 256: from_id is a child graph that begins with to_id; it ends with what
                                  -- follows from there and has no edge of its own
  from_port INTEGER NOT NULL,     -- CUgraphEdgeData.from_port: of a kernel 0 its end, 1 its trigger
                                  -- (cudaTriggerProgrammaticLaunchCompletion), 2 the start of all its blocks
  PRIMARY KEY (from_id, to_id)
) WITHOUT ROWID;

-- One row a run of a host function: a function of the program that CUDA ran in the order of a stream
-- (cudaLaunchHostFunc, cudaStreamAddCallback, a graph's host node). Whatever was enqueued after it in
-- its stream, or depends on it in its graph, started at end_ns or later. A captured host function runs
-- with every launch of the graph; each run names the call that was captured.
CREATE TABLE host_functions (
  id              INTEGER PRIMARY KEY,
  start_ns        INTEGER NOT NULL,
  end_ns          INTEGER NOT NULL,
  thread_id       INTEGER NOT NULL,  -- the thread that CUDA ran it on
  stream_handle   INTEGER NOT NULL,  -- the argument of its call; 0 for a node that a call added
  module_id       INTEGER REFERENCES modules(id),  -- that contains the function; NULL: none does
  offset          INTEGER NOT NULL,  -- the function's address minus the module's load address
  -- Of the call that enqueued, captured or added it (call_correlations). A run can be written before
  -- its call is.
  correlation_id  INTEGER NOT NULL
);

-- One row a cudaEventRecord that CUPTI recorded (metadata: event_waits). Handles and event ids are
-- reused: join on sync_id.
CREATE TABLE event_records (
  id             INTEGER PRIMARY KEY,
  context_id     INTEGER NOT NULL,
  stream_id      INTEGER NOT NULL,
  event_id       INTEGER NOT NULL,
  correlation_id INTEGER NOT NULL,
  sync_id        INTEGER              -- cudaEventSyncId
);

-- One row a synchronization that CUPTI recorded (metadata: event_waits).
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

-- Since format 2.1. One row an NVTX range: a time that the program named. The metadata's `nvtx` says
-- whether they were recorded. A pushed one lies in the time of those of its thread and domain that it was
-- pushed in, and ends with its thread at the latest; a started one need not, and another thread can have
-- ended it. There is no row for a range outside of all windows, for one that ended before the first call of
-- the process, nor for a started one that began before it.
CREATE TABLE nvtx_ranges (
  id            INTEGER PRIMARY KEY,
  is_pushed     INTEGER NOT NULL,  -- 1 by nvtxRangePush and its like; 0 by nvtxRangeStart
  thread_id     INTEGER NOT NULL,  -- that began it
  start_ns      INTEGER NOT NULL,
  end_ns        INTEGER,           -- NULL: it was open when the trace ended, or its end is lost
  end_thread_id INTEGER,           -- that ended it; NULL with end_ns
  name_id       INTEGER REFERENCES strings(id),  -- of 1,023 bytes at most; NULL: it has no name
  domain_id     INTEGER REFERENCES strings(id),  -- its name; NULL: the default domain
  color         INTEGER            -- ARGB; NULL: it has none
);

-- Since format 2.2. One row a time that a thread read a clock (clock_gettime, gettimeofday) right after a
-- call of 2 us or longer, before its next call: the first time only.
CREATE TABLE clock_reads (
  id        INTEGER PRIMARY KEY,
  thread_id INTEGER NOT NULL,
  time_ns   INTEGER NOT NULL,
  module_id INTEGER REFERENCES modules(id)  -- that read it; NULL: not known
);

-- Since format 2.3. One row a communicator of NCCL that the process made or used. NCCL reuses the ncclComm_t
-- once a communicator is destroyed: the row is one communicator, not one handle.
CREATE TABLE communicators (
  id           INTEGER PRIMARY KEY,
  unique_id    TEXT,     -- 16 hexadecimal digits, the same in all of its processes and of no other: a hash of
                         -- the ncclUniqueId; of ncclCommSplit of the parent's, of how many splits the parent
                         -- had before, and of the color. NULL: it was not seen how it was made
  rank         INTEGER,  -- of this process in it
  ranks        INTEGER,
  device_id    INTEGER,
  created_ns   INTEGER,  -- NULL: before the trace began
  destroyed_ns INTEGER   -- by ncclCommDestroy or ncclCommAbort; NULL: not during the trace
);

-- Since format 2.3. One row a call of NCCL that communicates and did not fail. The launches that it makes are
-- rows of calls of the same thread, between start_ns and end_ns of the call, or, with a group_id, of the
-- group's row: kernels called ncclDevKernel_, ncclSymkDevKernel_ or ncclKernel_. Calls of a group can have one
-- kernel in common; a communicator of one process, and a call that moves nothing, have none.
CREATE TABLE collectives (
  id              INTEGER PRIMARY KEY,
  communicator_id INTEGER REFERENCES communicators(id),  -- NULL: it is not known
  sequence        INTEGER,           -- how many the communicator had before: the same number is the same
                                     -- collective in all of its processes. Sends and receives are counted
                                     -- apart, for each peer. NULL: there was no room to count them
  operation       INTEGER NOT NULL,  -- 1 all-reduce, 2 broadcast, 3 reduce, 4 all-gather, 5 reduce-scatter,
                                     -- 6 all-to-all, 7 gather, 8 scatter, 9 send, 10 receive
  size_bytes      INTEGER NOT NULL,  -- the count that was given, in bytes: of all-gather, all-to-all, gather
                                     -- and scatter what goes to or comes from one process, of
                                     -- reduce-scatter what one process receives
  datatype        INTEGER NOT NULL,  -- ncclDataType_t: 0 int8 1 uint8 2 int32 3 uint32 4 int64 5 uint64
                                     -- 6 float16 7 float32 8 float64 9 bfloat16 10 and 11 float8
  root_or_peer    INTEGER,           -- root of broadcast, reduce, gather, scatter; peer of send, receive
  stream_handle   INTEGER NOT NULL,  -- as in calls
  thread_id       INTEGER NOT NULL,
  start_ns        INTEGER NOT NULL,  -- at entry
  end_ns          INTEGER NOT NULL,  -- at return
  group_id        INTEGER,           -- collective_groups.id; NULL: in no group
  site_id         INTEGER REFERENCES call_sites(id)
);

-- Since format 2.3. One row an ncclGroupEnd that ended the outermost group of its thread and was behind a call of
-- collectives: NCCL enqueues their kernels in it.
CREATE TABLE collective_groups (
  id       INTEGER PRIMARY KEY,
  start_ns INTEGER NOT NULL,  -- of ncclGroupEnd, at entry
  end_ns   INTEGER NOT NULL   -- at return
);

-- One row a migration or a page fault of managed memory. Kinds are CUPTI's:
--   1 moved to the device   2 moved to the host   8 moved between devices
--   3 fault of the host     4 fault of the device
--   5 thrashing: the memory moves to and fro between devices, or between a device and the host
--   6 throttling: the driver delayed a device's access to end the thrashing
--   7 mapped: a processor accesses it where it is, without a migration
CREATE TABLE managed_memory (
  id            INTEGER PRIMARY KEY,
  kind          INTEGER NOT NULL,
  start_ns      INTEGER NOT NULL,
  end_ns        INTEGER,           -- kinds 1, 2, 4, 6 and 8
  src_device_id INTEGER,           -- NULL: the host, or the kind has none (3 and 5)
  dst_device_id INTEGER,           -- NULL: the host, or the kind has none (3 to 6)
  address       INTEGER NOT NULL,  -- of the memory
  value         INTEGER NOT NULL,  -- 1, 2, 5, 7 and 8: bytes; 3: address of the instruction that
                                   -- faulted; 4: faults of that page that were served together
  flags         INTEGER NOT NULL   -- 1, 2 and 8: why: 1 the program asked 2 a fault 3 prefetched by the
                                   -- driver 4 evicted 5 by access counts; 3 and 4: 1 read 2 write
                                   -- 3 atomic 4 prefetch; 7: 1 coherence 2 thrashing 3 policy 4 out of
                                   -- memory 5 evicted
);

-- One row a memory pool (of cudaMallocAsync) that was created, destroyed or trimmed. The first
-- cudaMallocAsync creates the device's default pool.
CREATE TABLE memory_pools (
  id                      INTEGER PRIMARY KEY,
  time_ns                 INTEGER NOT NULL,
  operation               INTEGER NOT NULL,  -- 1 created 2 destroyed 3 trimmed
  type                    INTEGER NOT NULL,  -- 1 of this process, 2 imported
  device_id               INTEGER,
  address                 INTEGER NOT NULL,  -- the pool's: it joins the rows of one pool
  size_bytes              INTEGER,           -- NULL, and the next two, for an imported one
  utilized_bytes          INTEGER,
  release_threshold_bytes INTEGER,           -- what it keeps through a synchronization; 0 is the default
  kept_bytes              INTEGER,           -- trimmed only: what it was to keep
  correlation_id          INTEGER NOT NULL
);

-- One row a window: a time in which the program was recorded. A call is recorded if it began in a
-- window; an operation if its call did, or if it ran in a window itself, so that a part of it can be
-- outside. From two seconds after a window's end until the next one operations are not seen: one that was
-- enqueued then is missing even if it runs in that next window, and one that runs on so long after its
-- window may be. An operation that ran after a window's end can also be missing if the thread of its call
-- was delayed there. Devices, contexts, streams and allocations are recorded outside of windows too. Without
-- a row the whole run is one window. cause is what opened it: 'start' (of the tracing), 'call'
-- (streamtrace_start()), 'signal', 'profiler' (cudaProfilerStart()), 'step' (STREAMTRACE_STEPS).
CREATE TABLE windows (
  id       INTEGER PRIMARY KEY,
  start_ns INTEGER NOT NULL,
  end_ns   INTEGER,             -- NULL: it was open when the trace ended
  cause    TEXT NOT NULL
);

-- Since format 1.2. One row a copy to the host whose destination was watched: at the end of the first
-- wait that covered the copy (a synchronization, or the return of the copy itself) the pages that lie
-- wholly in it became inaccessible, until something touched one of them; then all became accessible
-- again. There is no row for a copy that is smaller than a page, on a stack, or made by a graph, nor for
-- a watch that had not ended when the program was killed. A copy that reads the memory is no touch: CUDA
-- orders it after this one. Kinds, of which 1 to 3 are touches:
--   0 not touched until the trace ended
--   1 read by the host
--   2 written by the host
--   3 in a system call, or in fread() or fwrite()
--   4 CUDA wrote it again
--   5 the memory was given back (free(), cudaFreeHost())
--   6 given up: the program changed the protection of the memory, launched a graph or a kernel that can
--     access the heap, or made a copy whose addresses are not recorded
--   7 a wait covered the copy: only in copy_watches
CREATE TABLE first_uses (
  id              INTEGER PRIMARY KEY,
  correlation_id  INTEGER NOT NULL,  -- of the copy (call_correlations)
  address         INTEGER NOT NULL,  -- of its destination
  watched_bytes   INTEGER NOT NULL,  -- of its destination: pages that it shares with other data, at its
                                     -- beginning and its end, are not watched
  wait_ns         INTEGER,           -- when the wait ended, inside its call; NULL: the watch ended (kind 4
                                     -- or 5) before a wait had covered the copy
  wait_thread_id  INTEGER,
  kind            INTEGER NOT NULL,
  touch_ns        INTEGER,           -- of the first touch; kinds 4 to 6: of the watch's end
  touch_thread_id INTEGER,
  touch_address   INTEGER,           -- kinds 1 to 3
  site_id         INTEGER REFERENCES call_sites(id)  -- kinds 1 to 3, one frame: the instruction that
                                     -- touched it, or the caller of the system call; in libc two: its caller.
                                     -- Below them Python's frames, at most 16
);

-- Since format 2.7. One row an asynchronous copy between pinned memory and the device whose host memory was
-- watched: from its call on the pages that lie wholly in its source were read-only, those of its
-- destination inaccessible, until a wait that covers the copy (kind 7) or a touch; then they were
-- accessible again. Kinds are those of first_uses; a source is touched by what writes it. An order that
-- libstrace.so does not follow (an event that another stream waited for, a host function, a flag in
-- memory) ends no watch: a touch is not yet a race. A release by CUDA (cudaFreeHost) is kind 5 without a site.
-- Since format 2.8 also pinned memory that a kernel was given: as a source, from the argument up to the
-- memory's end, one row an argument. What the kernel does with it is not known from this. Launches of a kernel
-- with the same argument in the same stream, without a wait between, share a row: start_ns is in the first
-- call, correlation_id of the last.
CREATE TABLE copy_watches (
  id              INTEGER PRIMARY KEY,
  correlation_id  INTEGER NOT NULL,  -- of the copy, or of the launch (call_correlations)
  is_source       INTEGER NOT NULL,  -- 1: the copy reads this memory; 0: it writes it
  address         INTEGER NOT NULL,  -- of the copy's host memory; the kernel's argument
  watched_bytes   INTEGER NOT NULL,  -- of it: whole pages
  start_ns        INTEGER NOT NULL,  -- in the copy's call
  kind            INTEGER NOT NULL,
  end_ns          INTEGER NOT NULL,  -- of the touch, of the wait's end; kind 0: of the trace
  thread_id       INTEGER NOT NULL,  -- that ended it
  touch_address   INTEGER,           -- kinds 1 to 3
  site_id         INTEGER REFERENCES call_sites(id)  -- as in first_uses; kind 5: the caller of free(),
                                     -- munmap() and their like
);

-- Since format 2.8, with STREAMTRACE_RACES. One row an image of device code that the program loaded at run
-- time (cuModuleLoadData(), cuLibraryLoadData() and their like, from memory or from a file), each once: PTX,
-- machine code (ELF) or a fat binary. Not those of the program's and its libraries' files that the
-- runtime loads.
CREATE TABLE code_images (
  id    INTEGER PRIMARY KEY,
  image BLOB NOT NULL  -- as it was given; PTX without the 0 behind it
);

-- Time that CUPTI reports as overhead, its own or the driver's: 1 driver compiler, 65536 buffer flush,
-- 131072 instrumentation, 196608 resource, 262144 module loading, 327680 lazy function loading,
-- 393216 command buffer full (a launch waited for the queue), 458752 activity buffer request,
-- 524288 set-up of tracing managed memory. And streamtrace's own: 16777216 a watch of memory begun or
-- ended (first_uses), 16777217 hash of all that a copy carried, 16777218 a watch of memory begun or
-- ended (copy_watches).
CREATE TABLE overheads (
  id       INTEGER PRIMARY KEY,
  kind     INTEGER NOT NULL,
  start_ns INTEGER NOT NULL,
  end_ns   INTEGER NOT NULL,
  thread_id INTEGER
);

-- Since format 1.4. What recording calls cost the program, measured by libstrace.so for one call in some
-- 64 of each thread: sums over the measured calls of a class. What CUPTI takes beside libstrace.so is not
-- in it.
CREATE TABLE tool_costs (
  class      TEXT NOT NULL,      -- functions.class
  api_path   INTEGER NOT NULL,   -- calls.api_path
  calls      INTEGER NOT NULL,   -- that were measured
  outside_ns INTEGER NOT NULL,   -- before start_ns and after end_ns of the calls
  inside_ns  INTEGER NOT NULL,   -- between them, in callbacks of CUPTI; 0 on api_path 1
  entry_ns   INTEGER NOT NULL,   -- in the callbacks at the entry of driver calls; a part of the above
  PRIMARY KEY (class, api_path)
) WITHOUT ROWID;

-- Since format 2.9. Only in a file that the watch mode wrote (STREAMTRACE_MODE=watch, NAME.incident-N.db): what
-- was noticed. The first row is why the file was written; a further one came while it was being written. Such
-- a file begins with the last seconds of calls that were in memory; only from device_start_ns to device_end_ns
-- was CUPTI on, which adds operations and driver calls. cause:
--   slow-step  a step took too long
--   hang       a call has not returned
--   signal     the program got the signal STREAMTRACE_SIGNAL
--   trigger    somebody made the file NAME.trigger (`streamtrace trigger`)
CREATE TABLE incidents (
  id              INTEGER PRIMARY KEY,
  cause           TEXT NOT NULL,
  noticed_ns      INTEGER NOT NULL,
  step            INTEGER,  -- steps.number: the slow one, else the last that had begun; NULL: no steps are known
  median_ns       INTEGER,  -- what steps took then; NULL: not known yet
  normal_before   INTEGER,  -- normal steps since the incident before, or the start; NULL: no steps are known
  thread_id       INTEGER,  -- of a hang: the call that has not returned. Else these four are NULL
  function_id     INTEGER REFERENCES functions(id),
  entered_ns      INTEGER,
  site_id         INTEGER REFERENCES call_sites(id),  -- NULL also: the stack is not known
  device_start_ns INTEGER,  -- NULL: CUPTI could not be switched on; the metadata's cupti says why
  device_end_ns   INTEGER   -- NULL: not yet, or the program was killed
);

-- Since format 2.9. In such a file, the steps whose calls it has. how they are known:
--   nvtx    ranges of NVTX that STREAMTRACE_STEP names
--   step    calls of streamtrace_step(), which begin a step and end the one before
--   period  the thread comes back to the call by which a step begins
-- kind:
--   slow    it took too long
--   normal  before it, of the usual length: to compare with
--   after   it began after the incident was noticed
--   current of a hang, a signal or a trigger: it was running
CREATE TABLE steps (
  number    INTEGER PRIMARY KEY,  -- counted from 0 since the program began
  thread_id INTEGER NOT NULL,
  start_ns  INTEGER NOT NULL,
  end_ns    INTEGER,              -- NULL: it had not ended when the file was closed
  how       TEXT NOT NULL,
  kind      TEXT NOT NULL,
  read_bytes INTEGER              -- that its thread read from storage (RUSAGE_THREAD); NULL: not known
);

-- What was lost or could not be recorded. Kinds, each with what it counts:
--   ring-overflow     calls that were dropped because the writer fell behind; thread_id says whose
--   correlation-lost  further operations of a call (beyond its first) and nodes of graphs that had no
--                     room in the ring: the operations are in the file, but their call is not known
--   graph-edges-lost  so many or more edges of graphs beyond 100,000, without room in the ring, or without
--                     memory for asking. Since format 2.8
--   exit-timeout      calls and device records that were not yet written when the exit had waited for
--                     about STREAMTRACE_EXIT_TIMEOUT_MS; thread_id says whose calls
--   backward-call     calls during which the clock was set back: kept, with end_ns = start_ns
--   cupti-dropped     device records that CUPTI dropped
--   cupti-discarded   device records for which there was no memory
--   untimed           device records with no time, or with an end before the start (kept with NULL
--                     times; overheads are not kept)
--   clock-step        ns by which CLOCK_REALTIME was set, measured against CLOCK_MONOTONIC_RAW; detail
--                     says in which direction, clock_samples between which times
--   unknown-record    device records of a kind that this version does not read
--   file-error        rows that could not be written to the file. If not even this row can be written,
--                     the metadata's end stays 'running'
--   cupti-error       CUPTI calls that failed; detail names the last one
--   host-function     runs of host functions that are missing: no memory, a full ring, or an exit that
--                     could not wait for them
--   arguments-lost    launches without their arguments: 16,384 kernels and some 32,000 sets are kept
--   first-use-lost    copies to the host that could not be watched: on a stack, in memory of unknown
--                     kind, or more than 1,024 at once
--   first-use-small   copies to the host whose destination contains no whole page
--   watch-lost        asynchronous copies between pinned memory and the device that copy_watches lacks:
--                     memory that was pinned before the trace began or that the kernel would copy when it
--                     is written again (registered, Linux 5.9 to 5.18), huge pages, a device that goes by the
--                     host's page tables, memory that another copy is writing, or more than 1,024 at once
--   watch-small       such copies whose host memory contains no whole page
--   code-lost         images of device code that code_images lacks: more than 2,048, more than 32 MB of them, or
--                     a file that could not be read
--   early-call        calls made by constructors of libraries that the loader started before
--                     libstrace.so, or by a signal handler that interrupted the start of tracing
--   handler-call      calls of the runtime made by a signal handler that interrupted libstrace.so while
--                     it recorded another call
--   left-call         calls of the runtime that longjmp() or an exception has left, without a return
--   stack-table-full  calls of which frames are missing: 65,536 distinct stacks and parts of stacks are
--                     kept
--   range-lost        begins or ends of NVTX ranges that are missing: a full ring, more than 64 pushed
--                     ranges in each other, more than 65,536 open ones, or no memory
--   clock-read-lost   rows of clock_reads that are missing: a full ring, or an exit that could not wait
--                     for them
--   host-state-lost   looks at threads that host_states lacks: the writer fell behind
--   looked-stack-lost times the site_id of host_states, first_uses or copy_watches, or a part of it, is missing: half of the table
--                     of stacks is for them. Since format 2.9
--   collective-lost   rows of collectives and collective_groups that are missing, or what communicators lack: a
--                     full ring, or an exit that could not wait for them. And collectives without a
--                     sequence: more than 4,096 communicators at once, or some 65,000 peers of them
--   overhead-lost     times of the tracer's own work that are missing: a full ring
-- Not counted: calls that had not returned when exit() was called, and calls past the wrappers that a
-- signal handler made while it interrupted another call.
CREATE TABLE losses (
  id        INTEGER PRIMARY KEY,
  kind      TEXT NOT NULL,
  count     INTEGER NOT NULL,
  time_ns   INTEGER NOT NULL,   -- when it was noticed
  thread_id INTEGER,
  detail    TEXT
);

-- The two clocks, read together: once a flush, and before and after CLOCK_REALTIME was set.
CREATE TABLE clock_samples (
  realtime_ns      INTEGER NOT NULL,
  monotonic_raw_ns INTEGER NOT NULL
);

---------------------------------------------------------------------------------------------------
-- Derived. Nothing below is recorded.

-- What the views below do not show, one row or none.
CREATE VIEW calls_in_blocks AS
  SELECT 'in blocks: `streamtrace unpack FILE` makes rows of them' AS hint, sum(calls) AS calls
  FROM call_blocks HAVING count(*) > 0;
CREATE VIEW operations_in_blocks AS
  SELECT 'in blocks: `streamtrace unpack FILE` makes rows of them' AS hint, sum(operations) AS operations
  FROM operation_blocks HAVING count(*) > 0;

-- The call that enqueued the operations of each correlation id.
CREATE VIEW call_correlations AS
  SELECT correlation_id, id AS call_id FROM calls WHERE correlation_id IS NOT NULL
  UNION ALL
  SELECT correlation_id, call_id FROM correlations;

-- Calls with names: `select * from named_calls limit 20`.
CREATE VIEW named_calls AS
  SELECT c.id, f.name, f.class, c.thread_id, c.start_ns, c.end_ns, c.end_ns - c.start_ns AS duration_ns,
         c.result, c.stream_handle, c.size_bytes, c.site_id, c.correlation_id
  FROM calls c JOIN functions f ON f.id = c.function_id;

-- The host's time in CUDA by function: `select * from top_calls`.
CREATE VIEW top_calls AS
  SELECT * FROM (
    SELECT name, count(*) AS calls, sum(duration_ns) AS total_ns, max(duration_ns) AS longest_ns,
           sum(result <> 0) AS errors
    FROM named_calls GROUP BY name
    UNION ALL SELECT hint, calls, NULL, NULL, NULL FROM calls_in_blocks)
  ORDER BY total_ns IS NOT NULL, total_ns DESC;

-- The call that captured or added each node, found through the nodes that it was cloned from.
CREATE VIEW node_calls AS
  WITH RECURSIVE chain(id, source_id, call_id) AS (
    SELECT id, source_id, call_id FROM graph_nodes
    UNION
    SELECT chain.id, n.source_id, n.call_id FROM chain JOIN graph_nodes n ON n.id = chain.source_id)
  SELECT id, call_id FROM chain WHERE source_id IS NULL AND call_id IS NOT NULL;

-- Host functions with the calls that enqueued them.
CREATE VIEW named_host_functions AS
  SELECT h.id, h.start_ns, h.end_ns, h.end_ns - h.start_ns AS duration_ns, h.thread_id,
         coalesce(m.path, '') || '+' || h.offset AS function, c.id AS call_id, f.name AS call,
         h.stream_handle
  FROM host_functions h
  LEFT JOIN modules m ON m.id = h.module_id
  LEFT JOIN call_correlations k ON k.correlation_id = h.correlation_id
  LEFT JOIN calls c ON c.id = k.call_id
  LEFT JOIN functions f ON f.id = c.function_id;

-- The time of host functions, for which their streams waited: `select * from top_host_functions`.
CREATE VIEW top_host_functions AS
  SELECT coalesce(m.path, '') || '+' || h.offset AS function, count(*) AS runs,
         sum(h.end_ns - h.start_ns) AS total_ns, max(h.end_ns - h.start_ns) AS longest_ns
  FROM host_functions h LEFT JOIN modules m ON m.id = h.module_id
  GROUP BY 1 ORDER BY total_ns DESC;

-- The device's time by operation: `select * from top_operations`.
CREATE VIEW top_operations AS
  SELECT * FROM (
    SELECT CASE o.kind WHEN 1 THEN s.text WHEN 3 THEN 'set'
             ELSE 'copy ' || CASE o.copy_kind WHEN 1 THEN 'H2D' WHEN 2 THEN 'D2H' WHEN 8 THEN 'D2D'
                               WHEN 10 THEN 'peer' ELSE 'other' END
                  || CASE WHEN 1 IN (o.src_kind, o.dst_kind) THEN ' pageable' ELSE '' END END AS name,
           count(*) AS operations, sum(o.end_ns - o.start_ns) AS total_ns, sum(o.size_bytes) AS size_bytes
    FROM operations o LEFT JOIN strings s ON s.id = o.name_id GROUP BY 1
    UNION ALL SELECT hint, operations, NULL, NULL FROM operations_in_blocks)
  ORDER BY total_ns IS NOT NULL, total_ns DESC;

-- How many operations have a call: `matched` should be equal to `operations`.
CREATE VIEW matched_operations AS
  SELECT o.kind, count(*) AS operations, sum(k.call_id IS NOT NULL) AS matched
  FROM operations o
  LEFT JOIN (SELECT correlation_id, min(call_id) AS call_id FROM call_correlations GROUP BY 1) k
    ON k.correlation_id = o.correlation_id
  GROUP BY o.kind;

-- The host's time in CUDA by source line: `select * from top_sites`. Until `streamtrace run` has filled
-- in the lines, the offset in the module. Under Python, the innermost line of Python code that is in no
-- installed package.
CREATE VIEW top_sites AS
  SELECT * FROM (
    SELECT coalesce((SELECT p.file || ':' || p.line FROM python_frames p WHERE p.site_id = n.site_id
                       AND p.file NOT LIKE '%-packages/%' AND p.file NOT LIKE '%/lib/python3.%'
                       AND p.file NOT LIKE '<frozen%' ORDER BY p.depth LIMIT 1),
                    f.file || ':' || f.line, m.path || '+' || f.offset) AS site, n.name,
           count(*) AS calls, sum(n.duration_ns) AS total_ns, max(n.duration_ns) AS longest_ns
    FROM named_calls n
    JOIN frames f ON f.site_id = n.site_id
      AND f.depth = (SELECT g.depth FROM frames g WHERE g.site_id = n.site_id
                     AND coalesce(g.function, '') NOT LIKE '%device_stub%'
                     ORDER BY coalesce(g.is_library, 0), g.depth LIMIT 1)
    LEFT JOIN modules m ON m.id = f.module_id
    GROUP BY 1, 2
    UNION ALL SELECT hint, NULL, calls, NULL, NULL FROM calls_in_blocks)
  ORDER BY total_ns IS NOT NULL, total_ns DESC;
