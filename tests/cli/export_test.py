#!/usr/bin/python3
"""What `streamtrace export` writes: export_test.py STREAMTRACE ROOT [--update]

Each format of a small trace made by hand against golden/export.*, which --update writes anew; of recordings, that
readers of the formats can take them: JSON, CSV, protocol buffers and SQLite are decoded here. A trace that is exported
as Nsight Systems' and read again has the same findings, but for those that its tables cannot show. Exit status: 0 all
is well, 1 something is not, which is printed.
"""
import csv
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

STREAMTRACE, ROOT = sys.argv[1:3]
UPDATE = "--update" in sys.argv[3:]
CLI = os.path.join(ROOT, "tests/cli")
RECORDINGS = os.path.join(ROOT, "samples/recordings")
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", what)


def run(*arguments):
    return subprocess.run([STREAMTRACE, *arguments], capture_output=True, text=True,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": folder})


def export(trace, format_name, suffix=""):
    path = os.path.join(folder, "export." + format_name + suffix)
    result = run("export", "--format=" + format_name, "-o", path, trace)
    check(result.returncode == 0, f"{format_name} of {trace}: {result.stderr}")
    return path


def report(trace):
    result = run("report", "--no-measure", "--format=json", trace)
    check(result.returncode == 0, f"report of {trace}: {result.stderr}")
    return json.loads(result.stdout)


def recording(name):
    return os.path.join(RECORDINGS, name + ".db")


def count(trace, sql):
    with sqlite3.connect(trace) as database:
        return database.execute(sql).fetchone()[0]


# Protocol buffers: a message is a list of (field, value), values are numbers or bytes.

def number_at(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def decode(data):
    at, fields = 0, []
    while at < len(data):
        tag, at = number_at(data, at)
        if tag & 7 == 0:
            value, at = number_at(data, at)
        elif tag & 7 == 2:
            length, at = number_at(data, at)
            value, at = data[at:at + length], at + length
            if len(value) != length:
                raise ValueError("a message is cut off")
        else:
            raise ValueError(f"wire type {tag & 7}")
        fields.append((tag >> 3, value))
    return fields


def all_of(fields, field):
    return [value for number, value in fields if number == field]


def one(fields, field, otherwise=None):
    values = all_of(fields, field)
    return values[0] if values else otherwise


class Perfetto:
    """The packets of a file: slices by track, GPU work by event id, with what is interned looked up."""

    NAMES, ANNOTATIONS, FUNCTIONS, FRAMES, STACKS, PATHS, CONTEXTS, QUEUES, KERNELS = 2, 3, 5, 6, 7, 18, 23, 24, 1000

    def __init__(self, path):
        self.interned, self.slices, self.work, self.processes, self.threads, self.clock = {}, [], {}, {}, {}, None
        self.tracks, self.parents, self.thread_names = {}, {}, {}
        open_slices = {}
        with open(path, "rb") as file:
            packets = decode(file.read())
        check(all(number == 1 for number, _ in packets), f"{path}: only packets")
        for _, data in packets:
            packet = decode(data)
            time = one(packet, 8)
            check(one(packet, 10) == 1 and one(packet, 13) in (1, 2), f"{path}: a packet's sequence")
            for field, entry in decode(one(packet, 12, b"")):
                entry = decode(entry)
                check((field, one(entry, 1)) not in self.interned, f"{path}: {field} interned twice")
                self.interned[field, one(entry, 1)] = entry
            if one(packet, 6):
                self.clock = decode(one(packet, 6))
            if one(packet, 60):
                self.track(decode(one(packet, 60)))
            if one(packet, 53):
                self.gpu(time, decode(one(packet, 53)))
            if one(packet, 11):
                event = decode(one(packet, 11))
                track = one(event, 11)
                if one(event, 9) == 1:
                    open_slices.setdefault(track, []).append((time, event))
                else:
                    start, begun = open_slices[track].pop()
                    self.slices.append((track, start, time, begun))
        check(not any(open_slices.values()), f"{path}: a slice does not end")

    def track(self, track):
        self.tracks[one(track, 1)] = one(track, 2, b"").decode()
        self.parents[one(track, 1)] = one(track, 5)
        if one(track, 3):
            process = decode(one(track, 3))
            self.processes[one(process, 1)] = one(process, 6).decode()
        if one(track, 4):
            thread = decode(one(track, 4))
            self.threads[one(track, 1)] = (one(thread, 1), one(thread, 2))
            self.thread_names[one(track, 1)] = one(thread, 5).decode()

    def gpu(self, time, event):
        check(one(event, 1) not in self.work, "an event id comes twice")
        self.work[one(event, 1)] = (time, event)

    def text(self, field, iid, of=2):
        return one(self.interned[field, iid], of).decode()

    def line(self, event):
        stack = one(event, 56)
        if not stack:
            return ""
        frame = self.interned[self.FRAMES, one(self.interned[self.STACKS, stack], 2)]
        path = self.text(self.PATHS, one(frame, 5)) + ":" + str(one(frame, 6)) if one(frame, 5) else ""
        return (self.text(self.FUNCTIONS, one(frame, 2)) + " " if one(frame, 2) else "") + path

    def notes(self, event):
        """The arguments of a slice."""
        notes = map(decode, all_of(event, 4))
        return {self.text(self.ANNOTATIONS, one(note, 1)): one(note, 3) if one(note, 3) is not None else one(note, 6).decode()
                for note in notes}

    def process_of(self, event):
        return one(self.interned[self.CONTEXTS, one(event, 5)], 2)

    def describe(self):
        """The file as text."""
        lines = [f"process {pid} {name}" for pid, name in self.processes.items()]
        lines += [f"track {track}: thread {pid}/{tid}" for track, (pid, tid) in self.threads.items()]
        for track, start, end, event in self.slices:
            correlation = decode(one(event, 3000, b""))
            notes = [f"{name}={value}" for name, value in self.notes(event).items()]
            lines.append(" ".join([f"{start}..{end} {track} {self.text(self.NAMES, one(event, 10))!r}",
                                   f"at {self.line(event)!r} enqueued {all_of(correlation, 1)}",
                                   f"waited {all_of(correlation, 2)}", *notes]))
        for number, (time, event) in self.work.items():
            launch = decode(one(event, 21, b""))
            sizes = [[value for _, value in decode(size)] for field, size in launch if field in (1, 2)]
            arguments = {one(decode(a), 2).decode(): one(decode(a), 4) for a in all_of(launch, 3)}
            lines.append(f"{time}+{one(event, 2)} work {number} of {self.process_of(event)} on GPU {one(event, 11)}"
                         f" in {self.text(self.QUEUES, one(event, 13))!r}: {self.text(self.NAMES, one(event, 20))!r}"
                         f" {self.text(self.QUEUES, one(event, 14))} waits {all_of(event, 18)} {sizes} {arguments}")
        return "\n".join(lines) + "\n"


def check_perfetto(trace, has_after):
    perfetto = Perfetto(export(trace, "perfetto"))
    operations = count(trace, "SELECT count(*) FROM operations WHERE start_ns IS NOT NULL")
    calls = count(trace, "SELECT count(*) FROM calls")
    first = count(trace, "SELECT min(start_ns) FROM operations")
    groups = 2 if has_after else 1
    check(len(perfetto.work) == groups * operations, f"{trace}: {len(perfetto.work)} of {operations} operations")
    check(len(perfetto.threads) and len(perfetto.processes) == groups, f"{trace}: processes {perfetto.processes}")
    on_threads = [s for s in perfetto.slices if s[0] in perfetto.threads]
    check(len(on_threads) == groups * calls, f"{trace}: {len(on_threads)} of {calls} calls")
    of_run = [time for time, event in perfetto.work.values() if perfetto.process_of(event) < 1 << 30]
    check(min(of_run) == first, f"{trace}: work begins at {min(of_run)}, not {first}")
    enqueued, waits, waited, told = [], 0, 0, set()
    for _, start, end, event in perfetto.slices:
        check(start <= end, f"{trace}: a slice ends before it begins")
        perfetto.line(event)
        notes = [decode(note) for note in all_of(event, 4)]
        told |= {one(n, 6).decode() for n in notes if perfetto.text(perfetto.ANNOTATIONS, one(n, 1)) == "finding"}
        correlation = decode(one(event, 3000, b""))
        enqueued += all_of(correlation, 1)
        waited += len(all_of(correlation, 2))
        check(all(i in perfetto.work for _, i in correlation), f"{trace}: a call names work that is not there")
    check(len(enqueued) == len(set(enqueued)) == groups * operations, f"{trace}: each operation has its call")
    for time, event in perfetto.work.values():
        for other in all_of(event, 18):
            waits += 1
            start, awaited = perfetto.work[other]
            check(start + one(awaited, 2) <= time + one(event, 2), f"{trace}: work waits for later work")
    check(waits and waited, f"{trace}: nothing waits")
    found = {f"{number}. {f['id']}" for number, f in enumerate(report(trace)["findings"], 1)}
    check(found <= told and bool(found) == has_after, f"{trace}: calls of {told}, findings {found}")


def check_kineto(trace):
    with open(export(trace, "kineto"), encoding="utf-8") as file:
        text = file.read()
    check(re.search(r'"rank":\s+(\d+)', text), f"{trace}: no rank that HTA finds")
    kineto = json.loads(text)
    events = kineto["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    of = {}
    for event in spans:
        of.setdefault(event["cat"], []).append(event)
        check(event["dur"] >= 0 and "pid" in event and "tid" in event, f"{trace}: {event}")
    work = of.get("kernel", []) + of.get("gpu_memcpy", []) + of.get("gpu_memset", [])
    operations = count(trace, "SELECT count(*) FROM operations WHERE start_ns IS NOT NULL")
    check(len(work) == operations, f"{trace}: {len(work)} of {operations} operations")
    calls = of.get("cuda_runtime", []) + of.get("cuda_driver", [])
    check(len(calls) == count(trace, "SELECT count(*) FROM calls"), f"{trace}: {len(calls)} calls")
    check(not any(event["name"].startswith("__") for event in calls), f"{trace}: __cudaLaunchKernel")
    steps = [event for event in of["user_annotation"] if event["name"].startswith("ProfilerStep#")]
    steady = report(trace)["headline"]["steps"]
    check(len(steps) == (steady["count"] if steady else 1), f"{trace}: {len(steps)} steps, the report has {steady}")
    check(steady or all(steps[0]["ts"] <= event["ts"] for event in calls + work), f"{trace}: no step around it")
    names = {event["args"]["correlation"]: event["name"] for event in calls}
    for event in work:
        check(event["args"]["correlation"] in names and event["args"]["stream"] == event["tid"],
              f"{trace}: an operation's correlation or stream")
    for event in of.get("cuda_sync", []):
        check(event["args"]["correlation"] in names, f"{trace}: a synchronization without its call")
        record = event["args"].get("wait_on_cuda_event_record_corr_id")
        check(record is None or "EventRecord" in names[record], f"{trace}: it waits for {record}")
    begun = {event["id"] for event in events if event["ph"] == "s"}
    check(begun and begun == {event["id"] for event in events if event["ph"] == "f"}, f"{trace}: flows without an end")
    return of


def check_csv(trace):
    with open(export(trace, "csv"), encoding="utf-8", newline="") as file:
        text = file.read()
    rows = list(csv.reader(io.StringIO(text), strict=True))
    check(text.count("\r\n") == text.count("\n") == len(rows), f"{trace}: ends of lines")
    check(len({len(row) for row in rows}) == 1, f"{trace}: rows of different lengths")
    for row in rows:
        check(not any(cell[:1] in ("=", "+", "-", "@") and not re.fullmatch(r"-\d+", cell) for cell in row if cell),
              f"{trace}: a formula in {row}")
    kinds = [row[0] for row in rows]
    check(kinds.count("call") == count(trace, "SELECT count(*) FROM calls"), f"{trace}: calls")
    check(kinds.count("operation") == count(trace, "SELECT count(*) FROM operations WHERE start_ns IS NOT NULL"),
          f"{trace}: operations")
    starts = [int(row[2]) for row in rows[2:]]
    check(starts == sorted(starts), f"{trace}: not in the order of time")
    # A range can begin before all else.
    check(min(int(row[2]) for row in rows[1:] if row[0] != "range") == 0, f"{trace}: time 0 is not the first call")


# What the scripts of `nsys stats` and `nsys analyze` want of the tables.
NSYS = {
    "CUPTI_ACTIVITY_KIND_KERNEL": "start end deviceId contextId greenContextId streamId correlationId globalPid "
                                  "demangledName shortName mangledName gridX blockX registersPerThread "
                                  "staticSharedMemory dynamicSharedMemory graphNodeId",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "start end deviceId contextId greenContextId streamId correlationId globalPid bytes "
                                  "copyKind srcKind dstKind graphNodeId",
    "CUPTI_ACTIVITY_KIND_MEMSET": "start end deviceId contextId greenContextId streamId correlationId bytes memKind",
    "CUPTI_ACTIVITY_KIND_RUNTIME": "start end eventClass globalTid correlationId nameId returnValue callchainId",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start end streamId correlationId syncType eventId eventSyncId",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT": "streamId correlationId eventId eventSyncId",
    "StringIds": "id value", "ENUM_CUDA_MEM_KIND": "id label", "ENUM_CUDA_MEMCPY_OPER": "id label",
    "TARGET_INFO_GPU": "id name", "TARGET_INFO_SESSION_START_TIME": "utcEpochNs", "META_DATA_EXPORT": "name value",
}


def check_nsys(trace):
    path = export(trace, "nsys")
    with sqlite3.connect(path) as database:
        def number(sql):
            return database.execute(sql).fetchone()[0]
        check(number("PRAGMA integrity_check") == "ok", f"{trace}: damaged")
        for table, columns in NSYS.items():
            have = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
            check(set(columns.split()) <= have, f"{trace}: {table} has not {set(columns.split()) - have}")
        check(number("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME") == count(trace, "SELECT count(*) FROM calls"),
              f"{trace}: calls")
        check(number("SELECT (SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL) + (SELECT count(*) FROM "
                     "CUPTI_ACTIVITY_KIND_MEMCPY) + (SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMSET) + (SELECT count(*) FROM "
                     "CUPTI_ACTIVITY_KIND_GRAPH_TRACE)") ==
              count(trace, "SELECT count(*) FROM operations WHERE start_ns IS NOT NULL"), f"{trace}: operations")
        for table, column in (("KERNEL", "demangledName"), ("KERNEL", "shortName"), ("RUNTIME", "nameId")):
            check(not number(f"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_{table} WHERE {column} NOT IN "
                             "(SELECT id FROM StringIds)"), f"{trace}: {column} without a text")
        for table in ("KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE"):
            check(not number(f"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_{table} WHERE correlationId NOT IN "
                             "(SELECT correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME)"), f"{trace}: {table} of no call")
    return path


# Of these recordings the findings, their counts and, within a tenth, what they save are the same there and back.
SAME = ["blocking_copy", "default_stream", "free_sync", "host_bound", "serial_chunks", "sync_in_loop", "wide_sync"]


def check_round_trip(name):
    before, after = report(recording(name)), report(check_nsys(recording(name)))
    check(before["headline"]["wall_ns"] == after["headline"]["wall_ns"] and
          before["headline"]["busy_ns"] == after["headline"]["busy_ns"], f"{name}: other times")
    first, second = ([(f["id"], f["count"]) for f in r["findings"]] for r in (before, after))
    check(first == second, f"{name}: {first}, and read back {second}")
    for one_finding, other in zip(before["findings"], after["findings"]):
        saved, again = (f["lost_overlap_ns"]["estimate"] for f in (one_finding, other))
        check(abs(saved - again) <= saved / 10, f"{name}: saves {saved}, and read back {again}")
    named = {row["what"] for row in after["not_seen"]}
    check({"recorder", "tracing overhead", "copy addresses", "redundant-transfer"} <= named, f"{name}: not said: {named}")


def check_golden(name, text):
    path = os.path.join(CLI, "golden", name)
    if UPDATE:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    with open(path, encoding="utf-8", newline="") as file:
        check(file.read() == text, f"{name} is not as {path}; it is:\n{text}")


def make_trace(name, sql="export.sql"):
    path = os.path.join(folder, name)
    with open(os.path.join(ROOT, "preload/schema.sql"), encoding="utf-8") as schema, \
         open(os.path.join(CLI, sql), encoding="utf-8") as rows, sqlite3.connect(path) as database:
        database.executescript(schema.read())
        database.executescript(rows.read())
    return path


# Rows with their texts: the ids of texts are SQLite's choice.
DUMPED = {
    "calls": "SELECT start, end, eventClass, globalTid, correlationId, s.value, returnValue, callchainId "
             "FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds s ON s.id = nameId ORDER BY start",
    "kernels": "SELECT start, end, deviceId, contextId, streamId, correlationId, globalPid, d.value, s.value, m.value, "
               "launchType, registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, "
               "dynamicSharedMemory, gridId FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds d ON d.id = demangledName "
               "JOIN StringIds s ON s.id = shortName JOIN StringIds m ON m.id = mangledName ORDER BY start",
    "copies": "SELECT start, end, deviceId, contextId, streamId, correlationId, globalPid, bytes, copyKind, srcKind, "
              "dstKind, copyCount FROM CUPTI_ACTIVITY_KIND_MEMCPY ORDER BY start",
    "records": "SELECT deviceId, contextId, streamId, correlationId, globalPid, eventId, eventSyncId "
               "FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT ORDER BY correlationId",
    "waits": "SELECT start, end, deviceId, contextId, streamId, correlationId, globalPid, syncType, eventId, "
             "eventSyncId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ORDER BY start",
    "stacks": "SELECT c.id, s.value, m.value, originalIP, stackDepth FROM CUDA_CALLCHAINS c "
              "JOIN StringIds s ON s.id = symbol LEFT JOIN StringIds m ON m.id = module ORDER BY 1, 5",
    "ranges": "SELECT start, end, eventType, rangeId, color, text, globalTid, endGlobalTid, domainId FROM NVTX_EVENTS "
              "ORDER BY start, eventType DESC",
    "contexts": "SELECT * FROM TARGET_INFO_CUDA_CONTEXT_INFO",
    "streams": "SELECT * FROM TARGET_INFO_CUDA_STREAM ORDER BY streamId",
    "devices": "SELECT vmId, id, name, smCount, computeMajor FROM TARGET_INFO_GPU",
    "processes": "SELECT * FROM PROCESSES",
    "start": "SELECT * FROM TARGET_INFO_SESSION_START_TIME",
    "duration": "SELECT * FROM ANALYSIS_DETAILS",
}


def dump(path):
    with sqlite3.connect(path) as database:
        return "".join(f"{what} {row!r}\n" for what, sql in DUMPED.items() for row in database.execute(sql))


def check_small():
    trace = make_trace("small.db")
    check_golden("export.perfetto.txt", Perfetto(export(trace, "perfetto")).describe())
    with open(export(trace, "kineto"), encoding="utf-8") as file:
        check_golden("export.kineto.json", file.read().replace(folder, ""))
    with open(export(trace, "csv"), encoding="utf-8", newline="") as file:
        check_golden("export.csv", file.read())
    check_golden("export.nsys.txt", dump(export(trace, "nsys")))
    check_csv(trace)
    of = check_kineto(trace)
    check(of["kernel"][0]["name"] == '@<script>"\\?</script>', "the kernel's name")


def check_states():
    """What threads did is on a track of its own below each thread: of host.sql's three, and not of the run after the fixes."""
    trace = make_trace("host.db", "host.sql")
    with sqlite3.connect(trace) as database:
        database.execute("UPDATE host_states SET ready_ns = 4000000, faults = 7 WHERE id = 1")
    perfetto = Perfetto(export(trace, "perfetto"))
    check(len(perfetto.processes) == 2, f"states: processes {perfetto.processes}")
    found = {}
    for track, start, end, event in perfetto.slices:
        if perfetto.tracks[track] == "state":
            pid, thread = perfetto.threads[perfetto.parents[track]]
            check(pid == 100, f"states: of process {pid}")
            found.setdefault(thread, []).append((start, end, perfetto.text(perfetto.NAMES, one(event, 10)),
                                                 perfetto.line(event), perfetto.notes(event)))
    check({thread: len(slices) for thread, slices in found.items()} == {100: 40, 101: 30, 102: 1}, f"states: {found}")
    check(found[100][:2] == [
        (1000000000, 1050000000, "running", "prepare /home/u/app/augment.py:41",
         {"line": "augment.py:41 prepare", "called": "NumPy", "looks": 50, "ready_ns": 4000000, "faults": 7}),
        (1050000000, 1070000000, "waiting for a thread", "main /home/u/app/train.py:30",
         {"line": "train.py:30 main", "called": "queue.get", "looks": 20})], f"states: {found[100][:2]}")
    check(found[102][0][2] == "waiting for input" and found[102][0][4]["object"] == "pipe", f"states: {found[102]}")
    names = list(perfetto.thread_names.values())
    check(names == ["main thread", "thread loader-0", "thread 102", "main thread"], f"states: threads {names}")
    with open(export(trace, "kineto"), encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name" and event["pid"] == 100}
    check(names == {100: "main thread", 101: "thread loader-0", 102: "thread 102"}, f"kineto: threads {names}")
    with sqlite3.connect(trace) as database:
        database.execute("DELETE FROM host_states")
    names = list(Perfetto(export(trace, "perfetto")).thread_names.values())
    check("main thread" in names and "thread 100" not in names, f"without states: threads {names}")


def check_steps():
    """Six steps of 100 us, which the host begins 10 us before their kernel: NVTX ranges, after 1 us of start-up."""
    trace = make_trace("steps.db")
    with sqlite3.connect(trace) as database:
        database.executescript("""
            DELETE FROM calls; DELETE FROM operations; DELETE FROM nvtx_ranges;
            CREATE TEMP TABLE step AS WITH RECURSIVE s(n, t) AS
              (SELECT 0, 5000001000 UNION ALL SELECT n + 1, t + 100000 FROM s WHERE n < 5) SELECT * FROM s;
            INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id,
              correlation_id, stream_handle) VALUES (1, 21, 4, 5000000000, 5000000500, 0, 0, 0, 2, 100, 1400);
            INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id,
              correlation_id, stream_handle) SELECT n + 2, 21, 4, t + 2000, t + 3000, 0, 0, 0, 2, n + 2, 1400 FROM step;
            INSERT INTO operations (id, kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id,
              grid_x, grid_y, grid_z, block_x, block_y, block_z)
              SELECT n + 2, 1, t + 10000, t + 90000, 0, 1, 14, n + 2, 1, 8, 2, 1, 64, 1, 1 FROM step;
            INSERT INTO strings SELECT n + 50, 'step ' || n FROM step;
            INSERT INTO nvtx_ranges SELECT n + 1, 1, 21, t, t + 50000, 21, n + 50, NULL, NULL FROM step;""")
    work = [5000011000 + 100000 * i for i in range(6)] + [5000591000]
    perfetto = Perfetto(export(trace, "perfetto"))
    slices = [(perfetto.text(perfetto.NAMES, one(event, 10)), start, end)
              for track, start, end, event in perfetto.slices if perfetto.tracks.get(track) == "steps"]
    check(slices == [(f"step {i + 1}", work[i], work[i + 1]) for i in range(6)], f"perfetto: steps {slices}")
    with open(export(trace, "csv"), encoding="utf-8", newline="") as file:
        rows = [row[1:4] for row in csv.reader(file) if row[0] == "step"]
    check(rows == [[f"step {i + 1}", str(work[i] - 5000000000), str(work[i + 1] - 5000000000)] for i in range(6)],
          f"csv: steps {rows}")
    with open(export(trace, "kineto"), encoding="utf-8") as file:
        kineto = json.load(file)
    base, events = kineto["baseTimeNanoseconds"], kineto["traceEvents"]
    spans = [(event["name"], base + round(event["ts"] * 1000), round(event["dur"] * 1000), event["tid"])
             for event in events if event["ph"] == "X" and event["name"].startswith("ProfilerStep#")]
    row = next(event["tid"] for event in events if event["ph"] == "M" and event["args"].get("name") == "steps")
    check(spans == [(f"ProfilerStep#{i}", 5000001000 + 100000 * i, 100000 if i < 5 else 90000, row) for i in range(6)],
          f"kineto: steps {spans}, row {row}")
    check_csv(trace)


def check_collective():
    trace = make_trace("collective.db")
    with sqlite3.connect(trace) as database:
        database.executescript("""
            UPDATE strings SET text = 'ncclDevKernel_AllReduce' WHERE id = 1;
            INSERT OR REPLACE INTO metadata VALUES ('ranks', '8');
            INSERT INTO communicators VALUES (1, '0123456789abcdef', 3, 8, 0, NULL, NULL);
            INSERT INTO collectives VALUES
              (1, 1, 0, 5, 4096, 7, NULL, 1400, 21, 5000000140, 5000000260, NULL, NULL);""")
    with open(export(trace, "kineto"), encoding="utf-8") as file:
        kineto = json.load(file)
    kernel = next(event for event in kineto["traceEvents"] if event.get("cat") == "kernel")["args"]
    check(kineto["distributedInfo"]["world_size"] == 8, "the size of the job")
    check((kernel["Collective name"], kernel["In msg nelems"], kernel["Group size"]) == ("reducescatter", 1024, 8),
          f"a collective: {kernel}")


def read_job(path):
    """Of a file of several processes: their names, and by sequence the ends of its all-reduces by the file's clock."""
    names, texts, ends, clocks = [], {}, {}, {}
    with open(path, "rb") as file:
        packets = [decode(data) for _, data in decode(file.read())]
    for packet in packets:
        sequence = one(packet, 10)
        snapshot = dict((one(clock, 1), one(clock, 2)) for clock in map(decode, all_of(decode(one(packet, 6, b"")), 1)))
        if 64 in snapshot:
            clocks[sequence] = snapshot[1] - snapshot[64]
        check(one(packet, 58, 1) == (64 if sequence in clocks and not snapshot else 1), f"{path}: another clock")
        process = one(decode(one(packet, 60, b"")), 3)
        if process:
            names.append(one(decode(process), 6).decode())
        for name in map(decode, all_of(decode(one(packet, 12, b"")), 2)):
            texts[sequence, one(name, 1)] = one(name, 2).decode()
        work = decode(one(packet, 53, b""))
        if work and "AllReduce" in texts[sequence, one(work, 20)]:
            ends.setdefault(sequence, []).append(one(packet, 8) + one(work, 2) + clocks.get(sequence, 0))
    return names, list(ends.values())


def check_job():
    job = os.path.join(folder, "job")
    subprocess.run([os.path.join(ROOT, "tests/bench/ranks.py"), job, "11", "--host-ranks", "4", "--steps", "30"],
                   check=True)
    names, ends = read_job(export(job, "perfetto"))
    check(names == [f"rank {i}: train" for i in range(11)], f"processes {names}")
    check([len(of_rank) for of_rank in ends] == 11 * [30], f"all-reduces {ends}")
    apart = max(max(together) - min(together) for together in zip(*ends))
    check(apart < 50_000, f"ends of all-reduces are {apart} ns apart")
    result = run("export", "--format=kineto", "-o", os.path.join(folder, "x"), job)
    check(result.returncode == 2 and "is of one trace" in result.stderr, f"kineto of a job: {result}")
    for name in os.listdir(job):
        if name.startswith(("rank.4.", "rank.5.", "rank.6.", "rank.7.")):
            with sqlite3.connect(os.path.join(job, name)) as database:
                database.execute("DELETE FROM collectives")
    path = os.path.join(folder, "apart.pftrace")
    result = run("export", "--format=perfetto", "-o", path, job)
    check(result.returncode == 3 and "left out: node0001: " in result.stderr, f"clocks are not compared: {result}")
    check(len(read_job(path)[0]) == 7, "a machine whose clock is not known is in the file")


def check_failures():
    trace = recording("wide_sync")
    for name in ("perfetto", "kineto", "nsys", "csv"):
        for path in ("/dev/full", os.path.join(folder, "none", "x"), folder):
            result = run("export", "--format=" + name, "-o", path, trace)
            check(result.returncode == 3 and result.stderr.count("\n") == 1 and
                  result.stderr.startswith(f"streamtrace: {path}: "), f"{name} to {path}: {result}")
    copy = os.path.join(folder, "copy.db")
    with open(trace, "rb") as source, open(copy, "wb") as target:
        target.write(source.read())
    size = os.path.getsize(copy)
    for other in (copy, trace):
        result = run("export", "--format=csv", "-o", copy, other)
        check(result.returncode == 2 and os.path.getsize(copy) == size, f"a trace overwritten: {result}")
    # Nor are others tried, and put into a new file, when one of several could not be written.
    result = run("export", "--format=perfetto", "-o", "/dev/full", copy, trace)
    check(result.returncode == 3 and result.stderr.count("\n") == 1, f"two to /dev/full: {result}")
    check(run("export", trace).returncode == 2, "no format")
    check(run("export", "--format=nsys", "-o", os.path.join(folder, "again"), export(trace, "nsys")).returncode == 3,
          "an export of Nsight Systems exported as such")


with tempfile.TemporaryDirectory() as folder:
    check_small()
    check_states()
    check_steps()
    check_collective()
    for recorded, fixes in (("pageable_copy", True), ("wide_sync.fixed", False), ("host_callback", True)):
        check_perfetto(recording(recorded), fixes)
        check_kineto(recording(recorded))
        check_csv(recording(recorded))
    for recorded in SAME:
        check_round_trip(recorded)
    for recorded in ("tiny_kernels.fixed", "shared_stream.fixed"):
        check(not report(check_nsys(recording(recorded)))["findings"], f"{recorded}: a finding")
    check_job()
    check_failures()
print("export: all is well" if not failures else f"export: {failures} failures")
sys.exit(1 if failures else 0)
