#!/usr/bin/python3
"""What reports say of the host's threads in an export of Nsight Systems: nsys_host_test.py STREAMTRACE SQL

nsys_host.sql has all tables that matter; the cases change or drop some. Exit status: 0 all is well, 1 something is not,
which is printed.
"""
import json
import os
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

STREAMTRACE, SQL = sys.argv[1:3]
MAIN, LOADER = 100, 101
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", what)


def make_export(folder, changes):
    """changes: SQL, or a function of the database."""
    path = os.path.join(folder, "host.sqlite")
    if os.path.exists(path):
        os.unlink(path)
    with open(SQL, encoding="utf-8") as rows, sqlite3.connect(path) as database:
        database.executescript(rows.read())
        if callable(changes):
            changes(database)
        else:
            database.executescript(changes)
    return path


def run(format_name, path):
    environment = {key: os.environ.get(key, "") for key in ("PATH", "ASAN_OPTIONS")}
    return subprocess.run([STREAMTRACE, "report", "--no-measure", "--format=" + format_name, path],
                          capture_output=True, text=True, env={**environment, "LC_ALL": "C.UTF-8"})


def report(folder, changes=""):
    """The words of the text, the ids of its findings, what its limitations are of."""
    path = make_export(folder, changes)
    text, result = run("text", path), run("json", path)
    check(text.returncode == 0 and result.returncode == 0, f"{changes}: {text.stderr} {result.stderr}")
    value = json.loads(result.stdout or '{"findings": [], "not_seen": []}')
    return (" ".join(text.stdout.split()), [finding["id"] for finding in value["findings"]],
            {row["what"] for row in value["not_seen"]})


def expect(folder, name, changes, words, findings=(), lacks=()):
    text, found, not_seen = report(folder, changes)
    for some in [words] if isinstance(words, str) else words:
        check(some in text, f"{name}: not said: {some}: {text[:1800]}")
    check(set(findings) <= set(found), f"{name}: found {found}")
    lacking = not_seen & {"host samples", "host waits", "context switches", "preempted", "Python samples"}
    check(lacking == set(lacks), f"{name}: lacks {lacking}")
    return text, found


def check_tables(folder):
    text, found = expect(folder, "all", "", (
        "idle because: waiting for prepare in train (memcpy) 70.3 %, waiting for decode in train (thread "
        "loader-0), awaited at take in train 28.1 %, other 1.6 %",
        "- 450 ms in 9 gaps: waiting for prepare in train (memcpy, main thread)"), ["host-work"])
    check("NSys" not in text and "host-bound" not in found, "Nsight Systems' own thread")
    expect(folder, "no switches", "DROP TABLE SCHED_EVENTS", (
        "idle because: waiting for prepare in train (memcpy) 70.3 %, waiting for decode in train (thread "
        "loader-0), awaited at take in train 28.1 %, other 1.6 %"), ["host-work"], ["context switches", "preempted"])
    expect(folder, "no samples", "DROP TABLE COMPOSITE_EVENTS; DROP TABLE SAMPLING_CALLCHAINS", (
        "idle because: waiting for an unknown line 70.3 %, waiting for an unknown line (thread loader-0), "
        "awaited at take in train 28.1 %"), ["host-work"], ["host samples"])
    expect(folder, "no stacks", "DROP TABLE SAMPLING_CALLCHAINS; DROP TABLE OSRT_CALLCHAINS",
           "waiting for an unknown line 70.3 %", ["host-work"])
    text, found = expect(folder, "no waits", "DROP TABLE OSRT_API", (
        "waiting for prepare in train (memcpy) 70.5 %", "host busy between calls, not looked at 27.8 %"),
        ["host-work"], ["host waits"])
    check("awaited" not in text, "waits without their table")
    text, found = expect(folder, "waits only",
                         "DROP TABLE SCHED_EVENTS; DROP TABLE COMPOSITE_EVENTS; DROP TABLE SAMPLING_CALLCHAINS", (
                             "host busy between calls, not looked at 70.3 %"), [],
                         ["context switches", "preempted", "host samples"])
    text, found = expect(folder, "none of them", "DROP TABLE SCHED_EVENTS; DROP TABLE COMPOSITE_EVENTS; "
                         "DROP TABLE SAMPLING_CALLCHAINS; DROP TABLE OSRT_API; DROP TABLE OSRT_CALLCHAINS",
                         "idle because: host busy between calls", [],
                         ["context switches", "preempted", "host samples", "host waits"])
    check("not looked at" not in text, "looks without rows")


# The main thread waits from 1 to 69 ms of a step, in function 30 with its stack.
WAITS = """UPDATE OSRT_API SET start = start - 49000000 WHERE globalTid & 0xffffff = 100;
  DELETE FROM COMPOSITE_EVENTS WHERE globalTid & 0xffffff = 100;
  DELETE FROM SCHED_EVENTS WHERE globalTid & 0xffffff = 100;"""


def check_findings(folder):
    expect(folder, "queue", WAITS, 
           ("loader-empty take in train 9", "1. loader-empty at take in train The "), ["loader-empty"])
    expect(folder, "mutex", WAITS + "UPDATE OSRT_API SET nameId = 32 WHERE globalTid & 0xffffff = 100",
           "waiting for a lock", ["lock-held"])
    expect(folder, "unmapping", WAITS + "UPDATE OSRT_API SET nameId = 33 WHERE globalTid & 0xffffff = 100",
           "in page faults", ["page-faults"])
    expect(folder, "pipe", WAITS + "UPDATE OSRT_API SET nameId = 31 WHERE globalTid & 0xffffff = 100",
           "waiting for input at take in train 97.0 %", ["host-wait-in-loop"])
    expect(folder, "no processor", """UPDATE SCHED_EVENTS SET threadState = 1;
        DELETE FROM OSRT_API WHERE globalTid & 0xffffff = 100;
        UPDATE SCHED_EVENTS SET start = start - 45000000 WHERE globalTid & 0xffffff = 100 AND start % 100000000 = 50100000;
        """, "without a processor", ["preempted"])
    expect(folder, "no reasons of switches", "UPDATE SCHED_EVENTS SET threadState = NULL",
           "waiting for prepare in train (memcpy) 70.3 %", ["host-work"], ["preempted"])


def python_sample(*frames, state=1, header=True):
    frames = b"".join(struct.pack("<QQQ", *frame) for frame in frames)
    payload = struct.pack("<QII", 0, state, len(frames) // 24) + frames
    return (struct.pack("<IIIIQQ", 1, 0, 1, 0, len(payload), 32 + len(payload)) if header else b"") + payload


# Texts: functions, then files.
TEXTS = {60: "prepare", 61: "main", 62: "Queue.get", 63: "fill", 70: "/home/u/app/augment.py", 71: "/home/u/app/train.py",
         72: "/usr/lib/python3.12/queue.py", 73: "Waiting for GIL", 74: "/usr/bin/python3.12"}
PREPARE, GET, FILL = [(60, 70, 41), (61, 71, 29)], [(62, 72, 171), (61, 71, 30)], [(63, 71, 12)]


def add_python(database, header=True, states=(1, 2)):
    """A sample each ms, of the main thread and of the loader, as their stacks are."""
    database.executescript("""CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL,
        text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, binaryData TEXT);
        UPDATE PROCESSES SET name = '/usr/bin/python3.12';
        UPDATE StringIds SET value = '/usr/lib/python3/dist-packages/numpy/_multiarray_umath.so' WHERE id = 20;
        INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId)
          SELECT 0, 75, 'Python Periodic Sampling', globalPid + 104, 5 FROM PROCESSES;
        INSERT INTO NVTX_EVENTS (start, eventType, text, globalTid, domainId)
          SELECT 0, 75, 'GIL Trace', globalPid + 104, 6 FROM PROCESSES;""")
    database.executemany("INSERT INTO StringIds VALUES (?, ?)", TEXTS.items())
    for ms in range(1000):
        in_step = ms % 100
        for thread, frames, runs in ((MAIN, PREPARE if in_step < 50 else GET, in_step < 50 or in_step >= 70),
                                     (LOADER, FILL, 50 <= in_step < 68)):
            database.execute(
                "INSERT INTO NVTX_EVENTS (start, eventType, globalTid, domainId, binaryData) VALUES "
                "(?, 34, (1 << 48) + (100 << 24) + ?, 5, ?)",
                (ms * 1000000 + 300000, thread, python_sample(*frames, state=states[not runs], header=header)))


def add_only_python(database):
    """As in a container that forbids perf events."""
    add_python(database)
    database.executescript("DROP TABLE SCHED_EVENTS; DROP TABLE COMPOSITE_EVENTS; DROP TABLE SAMPLING_CALLCHAINS")


def add_gil(database):
    """The main thread waits from 10 to 45 ms of a step for the lock, in a function of the C library."""
    add_python(database)
    database.executescript("""
        INSERT INTO NVTX_EVENTS (start, end, eventType, textId, globalTid, domainId)
          SELECT start - 40000000, end - 25000000, 59, 73, globalTid, 6 FROM OSRT_API WHERE globalTid & 0xffffff = 100;
        INSERT INTO OSRT_API SELECT start - 39000000, end - 26000000, 27, globalTid, 0, 30, 0, 0, 1 FROM OSRT_API
          WHERE globalTid & 0xffffff = 100;""")


def check_python(folder):
    for header in (True, False):
        text, _ = expect(folder, "Python", lambda database: add_python(database, header), (
            "idle because: waiting for app/augment.py:41 (NumPy) 70.3 %, waiting for "
            "app/train.py:12 (NumPy, thread loader-0), awaited at app/train.py:30 (queue.get) 28.1 %",
            "garbage-collection: not judged"), ["host-work"])
    expect(folder, "Python alone", add_only_python,
           "idle because: waiting for app/augment.py:41: 70.3 %", ["host-work"],
           ["context switches", "preempted", "host samples"])
    text, _ = expect(folder, "the lock", add_gil, (
        "waiting for the interpreter at app/augment.py:41: 49.2 %"), ["lock-held"])
    check("Waiting for GIL" not in text, "the lock as a range")
    # Samples that cannot be read are left out.
    for change in ("UPDATE NVTX_EVENTS SET binaryData = NULL", "UPDATE NVTX_EVENTS SET binaryData = substr(binaryData, 1, 50)",
                   "UPDATE StringIds SET value = 'no file' WHERE id BETWEEN 70 AND 72", "DELETE FROM StringIds WHERE id BETWEEN 60 AND 63"):
        expect(folder, change, lambda database: (add_python(database), database.executescript(change)),
               "waiting for prepare in _multiarray_umath.so", ["host-work"], ["Python samples"])


def check_call_sites(folder):
    """The waits for the device are in a loop; the step's launch has no sample of its own stack."""
    in_call = """UPDATE StringIds SET value = '/usr/lib/libcuda.so.1' WHERE id = 21;
        INSERT INTO COMPOSITE_EVENTS SELECT (1 << 50) + correlationId, start + 5000000, 0, 1, globalTid, 1
          FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE nameId = 2;
        INSERT INTO SAMPLING_CALLCHAINS (id, symbol, module, originalIP, stackDepth)
          SELECT id, 15, 21, 9, 0 FROM COMPOSITE_EVENTS WHERE id > 1 << 50
          UNION ALL SELECT id, 10, 20, 70, 1 FROM COMPOSITE_EVENTS WHERE id > 1 << 50;"""

    def sites(changes):
        path = make_export(folder, changes)
        subprocess.run([STREAMTRACE, "export", "--format=csv", "-o", path + ".csv", path], check=True, capture_output=True)
        with open(path + ".csv", encoding="utf-8") as rows:
            return [line for line in rows if "cudaDeviceSynchronize" in line]

    check(all("prepare" not in line for line in sites("")), "call sites without samples")
    rows = sites(in_call)
    check(len(rows) == 10 and all("prepare" in line for line in rows), f"call sites by samples: {rows[:1]}")

    def add_lines(database):
        add_python(database)
        database.executescript(in_call)

    rows = sites(add_lines)
    check(len(rows) == 10 and all("train.py" in line for line in rows), f"Python's call sites: {rows[:1]}")

    def add_backtraces(database):
        """As --python-backtrace=cuda: an event at the begin of each call, in a domain of its own."""
        add_python(database)
        database.execute("DELETE FROM NVTX_EVENTS WHERE eventType = 34")
        database.execute("UPDATE NVTX_EVENTS SET text = 'Python Backtrace on CUDA' WHERE domainId = 5")
        database.execute("INSERT INTO NVTX_EVENTS (start, eventType, globalTid, domainId, binaryData) "
                         "SELECT start, 34, globalTid, 5, ? FROM CUPTI_ACTIVITY_KIND_RUNTIME", (python_sample(*PREPARE),))

    rows = sites(add_backtraces)
    check(len(rows) == 10 and all("augment.py" in line for line in rows), f"Python's backtraces: {rows[:1]}")
    # They are no samples: nothing is known of the host between its calls.
    expect(folder, "backtraces alone", lambda database: (add_backtraces(database), database.executescript(
        "DROP TABLE SCHED_EVENTS; DROP TABLE COMPOSITE_EVENTS; DROP TABLE SAMPLING_CALLCHAINS; DROP TABLE OSRT_API")),
           "host busy between calls", [], ["context switches", "host samples", "host waits", "preempted"])


def check_damaged(folder):
    """One line and status 3, or a report."""
    columns = {"SCHED_EVENTS": ["start", "isSchedIn", "globalTid", "threadState"], "OSRT_API":
               ["start", "end", "globalTid", "nameId", "callchainId"], "COMPOSITE_EVENTS": ["id", "start", "globalTid"],
               "SAMPLING_CALLCHAINS": ["id", "symbol", "module", "stackDepth", "originalIP"], "ThreadNames": ["nameId"]}
    values = ["NULL", "9223372036854775807", "'text'", "0.5", "x'00ff'", "1 - rowid"]
    for table, names in columns.items():
        for name in names:
            for value in values + [None]:
                change = (f"UPDATE OR IGNORE {table} SET {name} = {value}" if value else
                          f"CREATE TABLE t AS SELECT * FROM {table}; DROP TABLE {table}; ALTER TABLE t DROP COLUMN "
                          f"{name}; ALTER TABLE t RENAME TO {table}")
                try:
                    path = make_export(folder, change)
                except sqlite3.IntegrityError:
                    continue
                result = run("text", path)
                check(result.returncode == 0 or result.returncode == 3 and result.stderr.count("\n") == 1,
                      f"{change}: {result.returncode} {result.stderr}")
                check(value or result.returncode == 0, f"{change}: {result.stderr}")


MANY_SECONDS = 600  # a time that grows with the square would be hours


def check_many(folder):
    """A million rows, overlapping, in no order."""
    path = make_export(folder, """WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 333333)
        INSERT INTO OSRT_API SELECT n * 7919 % 1000000 * 1000, n * 7919 % 1000000 * 1000 + n % 50000, 27,
          (1 << 48) + (100 << 24) + 100 + n % 3, 0, 30, 0, 0, 1 FROM n;
        INSERT INTO SCHED_EVENTS SELECT start, 0, start / 1000 % 2, globalTid, start % 9, 0 FROM OSRT_API;
        INSERT INTO COMPOSITE_EVENTS SELECT (1 << 40) + rowid, end, 0, 1, globalTid, 1 FROM OSRT_API;
        INSERT INTO SAMPLING_CALLCHAINS SELECT id, id % 9 + 1, 20, 0, 0, 0, 0, id, 0, 0 FROM COMPOSITE_EVENTS
          WHERE id > 1 << 40""")
    start = time.monotonic()
    result = run("text", path)
    check(result.returncode == 0, f"a million rows: {result.stderr}")
    check(time.monotonic() - start < MANY_SECONDS, f"a million rows: {time.monotonic() - start:.0f} s")


with tempfile.TemporaryDirectory() as folder:
    check_tables(folder)
    check_findings(folder)
    check_python(folder)
    check_call_sites(folder)
    check_damaged(folder)
    check_many(folder)
sys.exit(failures > 0)
