-- A summary: what the report of a job knows of one process. It is made from a trace's analysis and is below
-- 1 MB. Times are ns, sizes bytes. user_version is MAJOR * 1000 + MINOR: a reader refuses a newer major,
-- and takes no notice of tables, columns and keys that it does not know.

PRAGMA page_size = 1024;              -- first: with the next one the file has its pages
PRAGMA application_id = 1398035027;   -- 'STRS'
PRAGMA user_version = 1001;           -- 1.1: findings.is_bound, findings.costs_ns

-- Facts, as the trace's metadata has them (a missing key: not known): program, host, process_id, rank, local_rank,
-- ranks, run, boot_id, traced_by, start_ns, end_ns; and
--   trace            the trace's path
--   gpu              the names of its GPUs
--   first_ns, last_ns  CLOCK_REALTIME of its first activity and of its last
--   calls, operations  how many there are
--   untraced         'cupti': untraced_ns is without all of the tracer; 'own': without its own part
--   estimates        'off' where the self-check failed
--   incident, incident_why  the sentence of a trace of the watch mode, and where the step's extra time went; with
--   incident_step, incident_step_ns, incident_extra_ns, incident_own_ns, incident_late_ns: as in struct summary_incident
--   sample           'on' where a sample of the run was replayed
CREATE TABLE metadata (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- One row a GPU that ran something.
CREATE TABLE devices (
  id   INTEGER PRIMARY KEY,  -- CUPTI's device id
  name TEXT
);

-- Times of the process, and with device_id of a GPU:
--   wall, untraced, replayed        the run: as traced, without the tracer, and replayed without a fix (the
--                                   self-check); of a GPU from its first operation to its last
--   lost-low, lost, lost-high       what the fixes of all findings save together
--   idle, overlap                   no engine was busy, two or more were
--   busy-ENGINE                     compute, h2d, d2h, peer
--   idle-CAUSE                      parts of idle: the words of the report's JSON
CREATE TABLE times (
  device_id INTEGER,
  what      TEXT NOT NULL,
  ns        INTEGER NOT NULL
);

-- One row a finding: as in the process's own report, whose number it is.
CREATE TABLE findings (
  number     INTEGER PRIMARY KEY,
  id         TEXT NOT NULL,
  title      TEXT NOT NULL,
  fix        TEXT NOT NULL,
  relies_on  TEXT,
  price      TEXT,
  cost       TEXT NOT NULL,     -- what blocked_ns was: 'blocked', 'delayed'
  place      TEXT NOT NULL,     -- 'train.py:31', 'libfoo.so+0x1234'
  function   TEXT,
  evidence   TEXT,              -- of the longest
  pass       INTEGER NOT NULL,  -- 2 and more: it saves that beside the fixes of the others
  times      INTEGER NOT NULL,
  blocked_ns INTEGER NOT NULL,
  low_ns     INTEGER NOT NULL,  -- what its fix saves
  saved_ns   INTEGER NOT NULL,
  high_ns    INTEGER NOT NULL,
  is_folded  INTEGER NOT NULL,  -- too small for the process's own report
  is_bound   INTEGER NOT NULL,  -- it saves no more than that: not worth a replay
  costs_ns   INTEGER NOT NULL   -- with the fixes of those before it the run is longer by that; 0: it is not
);

-- Where the GPU was idle for longest.
CREATE TABLE idle_lines (
  id       INTEGER PRIMARY KEY,
  cause    TEXT NOT NULL,     -- as in idle-CAUSE
  place    TEXT NOT NULL,     -- of the call that it passed in; of work between calls, of the one behind it
  function TEXT,              -- the call
  came_from TEXT,             -- of work between calls: of the one before it
  ns       INTEGER NOT NULL,
  gaps     INTEGER NOT NULL
);

-- One row a communicator.
CREATE TABLE communicators (
  id          INTEGER PRIMARY KEY,  -- from 0 on
  unique_id   TEXT NOT NULL,        -- 16 hexadecimal digits, the same on all ranks; zeros: not known
  rank        INTEGER NOT NULL,
  ranks       INTEGER NOT NULL,
  device_id   INTEGER NOT NULL,
  collectives INTEGER NOT NULL,     -- calls
  matched     INTEGER NOT NULL      -- of which the kernel was found
);

-- What there is once, packed:
--   arrivals   when the process came to collectives (job/arrivals.c); count: how many
--   paths      the model of the joint replay (job/paths.h)
CREATE TABLE packed (
  what  TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  data  BLOB NOT NULL
);

-- Why something is missing.
CREATE TABLE notes (
  id   INTEGER PRIMARY KEY,
  what TEXT NOT NULL,
  why  TEXT NOT NULL
);
