#!/usr/bin/python3
"""What reports say of the host's threads: host_test.py STREAMTRACE ROOT

host.sql's steps have 50 ms of work, 20 ms of waiting for a loader's thread and a launch while the GPU is idle. The
first step's work lies before the first CUDA call, which is no part of the run. Lanes of the page begin with that call, too,
so step N begins N * 100 - 70 ms after it. Exit status: 0 all is well, 1 something is not, which is printed.
"""
import base64
import csv
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zlib

STREAMTRACE, ROOT = sys.argv[1:3]
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", what)


def make_trace(folder, name="host.db", change=""):
    path = os.path.join(folder, name)
    with sqlite3.connect(path) as database:
        for name in ("preload/schema.sql", "tests/cli/host.sql"):
            with open(os.path.join(ROOT, name), encoding="utf-8") as rows:
                database.executescript(rows.read())
        database.executescript(change)
    return path


def run(*arguments, status=0):
    result = subprocess.run([STREAMTRACE, *arguments], capture_output=True,
                            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
    check(result.returncode == status, f"{arguments}: status {result.returncode}: {result.stderr}")
    return result.stderr.decode() if status else result.stdout.decode()


def report(format_name, *arguments, status=0):
    return run("report", "--no-measure", "--format=" + format_name, *arguments, status=status)


def check_text(trace):
    text = " ".join(report("text", trace).split())
    for words in ("idle because: waiting for augment.py:41 (NumPy) 70.3 %, waiting for loader.py:12 "
                  "(json.loads, thread loader-0), awaited at train.py:30 (queue.get) 28.1 %, other 1.6 %",
                  "- 450 ms in 9 gaps: waiting for augment.py:41 prepare (NumPy, main thread)"):
        check(words in text, f"the report does not say {words}: {text}")


def check_brief_causes(many):
    """Of many lines the largest four are named, and how much the rest is."""
    text = " ".join(report("text", many).split())
    words = ("idle because: waiting for loader.py:12 (json.loads, thread loader-0), awaited at train.py:30 (queue.get) "
             "28.1 %, other 71.9 %: 45 lines of the host 70.3 % (1.6 % at most)")
    check(words in text, f"the report does not say {words}: {text}")
    larger = os.path.join(os.path.dirname(many), "larger.db")
    shutil.copy(many, larger)
    with sqlite3.connect(larger) as database:
        database.execute("UPDATE python_frames SET line = line / 5 WHERE site_id >= 100 AND site_id < 130")
        database.execute("UPDATE python_frames SET file = '/home/u/app/own/augment.py' WHERE site_id >= 100")
    text = " ".join(report("text", larger).split())
    named = re.search("idle because: (.*?other .*? %):? ?(.*?) The GPU was", text)
    check(named and len(re.findall("waiting for own/augment.py:2[1-5]: 7.8 %", named[1])) == 3 and
          named[2] == "22 lines of the host 46.9 % (7.8 % at most)", f"four lines are named of many: {text}")
    check(len(host_ns(larger)[1]) == 26, f"rows of JSON: {len(host_ns(larger)[1])}")


def check_json(trace):
    idle = json.loads(report("json", trace))["headline"]["idle"]
    rows = next(row for row in idle if row["cause"] == "host-work")["host"]
    check([(row["ns"], row["gaps"], row["state"], row["called"], row["thread"]) for row in rows] ==
          [(450000000, 9, "running", "NumPy", "main thread"),
           (180000000, 9, "waiting for a thread", "queue.get", "main thread")], f"rows: {rows}")
    check((rows[1]["waits_ns"], rows[1]["known_ns"]) == (180000000, 162000000), f"waits: {rows[1]}")
    check([(other["ns"], other["site"]["line"], other["called"], other["thread"]) for other in rows[1]["meanwhile"]] ==
          [(162000000, 12, "json.loads", "thread loader-0")], f"meanwhile: {rows[1]}")


# Seven steps' work is without a processor for 20 of 50 ms, with 1,000 page faults of 1.9 us; the next is a collection of
# garbage, and nobody looked at the last. The loader, for which the main thread waits, waits for its pipe. A name has
# what ends frames and lines. Of two frames in a row only libc is known, and of a frame of the program only the function.
CHAIN = """
    UPDATE host_states SET ready_ns = 20000000, faults = 1000 WHERE site_id = 10;
    UPDATE host_states SET state = 8 WHERE site_id = 10 AND start_ns = 1800000000;
    DELETE FROM host_states WHERE site_id = 10 AND start_ns = 1900000000;
    UPDATE host_states SET state = 4, site_id = 14, object_id = 2 WHERE thread_id = 101 AND state = 0;
    UPDATE host_states SET object_id = 3 WHERE site_id = 11;
    INSERT INTO strings VALUES (3, 'mutex');
    UPDATE python_frames SET function = 'pre;pare' || char(10) WHERE site_id = 10 AND depth = 0;
    INSERT INTO modules VALUES (4, '/home/u/app/_own.so', NULL);
    UPDATE call_sites SET depth = 7 WHERE id = 10;
    INSERT INTO frames (site_id, depth, module_id, offset, function) VALUES (10, 3, 1, 300, NULL),
      (10, 4, 4, 1, '_ZN3own4callEi'), (10, 5, 2, 1, NULL), (10, 6, 2, 2, NULL);
"""
WORK = ("main thread;libc.so.6;own::call (_own.so);main (train.py:29);pre,pare? (augment.py:41);"
        "_multiarray_umath.cpython-312-x86_64-linux-gnu.so;libc.so.6")
CHAIN_LINES = {"[not looked at]": 50000, WORK: 196700, WORK + ";[page faults]": 13300,
               WORK + ";[without a processor]": 140000, WORK + ";[collecting garbage]": 50000,
               "main thread;main (train.py:30);Queue.get (queue.py:171);Condition.wait (threading.py:355);"
               "[waiting for a thread: mutex]": 180000}
# Work at 45 lines of 10 ms each: the waits are 28 % of the host's time, and 20 rows are not 95 % of it.
MANY = """
    INSERT INTO call_sites SELECT 100 + n * 5 + part, 0 FROM (SELECT value AS n FROM json_each('[1,2,3,4,5,6,7,8,9]')),
      (SELECT value AS part FROM json_each('[0,1,2,3,4]'));
    INSERT INTO python_frames SELECT id, 0, '/home/u/app/augment.py', id, 'prepare' FROM call_sites WHERE id >= 100;
    INSERT INTO host_states (thread_id, start_ns, end_ns, state, looks, site_id)
      SELECT 100, 1000000000 + (id - 100) / 5 * 100000000 + id % 5 * 10000000, 0, 0, 10, id FROM call_sites WHERE id >= 100;
    UPDATE host_states SET end_ns = start_ns + 10000000 WHERE end_ns = 0;
    DELETE FROM host_states WHERE site_id = 10;
"""
# Of each line's look 400 ns are missing: no line has whole microseconds.
ODD = MANY + "UPDATE host_states SET start_ns = start_ns + 400 WHERE site_id >= 100;"
# Two lines of 1 ms each in a step: the two rows above them are over 95 %.
FEW = """
    INSERT INTO call_sites VALUES (100, 0), (101, 0);
    INSERT INTO python_frames VALUES (100, 0, '/home/u/app/a.py', 1, 'a'), (101, 0, '/home/u/app/b.py', 1, 'b');
    INSERT INTO host_states (thread_id, start_ns, end_ns, state, looks, site_id)
      SELECT 100, start_ns, start_ns + 1000000, 0, 1, 100 FROM host_states WHERE site_id = 10 UNION ALL
      SELECT 100, start_ns + 1000000, start_ns + 2000000, 0, 1, 101 FROM host_states WHERE site_id = 10;
    UPDATE host_states SET start_ns = start_ns + 2000000 WHERE site_id = 10;
"""


def host_ns(trace):
    """The idle time of a busy host, and its rows."""
    cause = next(row for row in json.loads(report("json", trace))["headline"]["idle"] if row["cause"] == "host-work")
    return cause["ns"], cause["host"]


def collapsed(*traces):
    """Stacks and their microseconds."""
    stacks = {}
    for line in run("export", "--format=collapsed", *traces).splitlines():
        check(re.fullmatch("[^;]+(;[^;]+)* [0-9]+", line), f"a line is not as stackcollapse writes it: {line}")
        stack, count = line.rsplit(" ", 1)
        check(stack not in stacks and int(count) > 0, f"a stack twice, or without time: {line}")
        stacks[stack] = int(count)
    return stacks


def check_collapsed(folder, trace, chain, elsewhere):
    check(collapsed(trace) == {
        "main thread;main (train.py:29);prepare (augment.py:41);_multiarray_umath.cpython-312-x86_64-linux-gnu.so;"
        "libc.so.6": 450000,
        "main thread;main (train.py:30);Queue.get (queue.py:171);Condition.wait (threading.py:355);"
        "[waiting for a thread]": 180000}, f"stacks: {collapsed(trace)}")
    check(collapsed(chain) == CHAIN_LINES, f"stacks: {collapsed(chain)}")
    both = collapsed(trace, elsewhere)
    check(sorted({stack.split(";")[0] for stack in both}) == ["rank 1: train.py 200", "train.py 100"] and
          sum(both.values()) == 2 * 630000, f"stacks of two processes on two machines: {both}")
    path = os.path.join(folder, "host.collapsed")
    run("export", "--format=collapsed", "-o", path, trace)
    with open(path, encoding="utf-8") as file:
        check(file.read() == run("export", "--format=collapsed", trace), "not the same in a file")


def check_sums(*traces):
    """Stacks, rows, the table's rows and those of csv add up to the idle time of a busy host."""
    for trace in traces:
        ns, rows = host_ns(trace)
        check(sum(collapsed(trace).values()) == (ns + 500) // 1000, f"{trace}: stacks of {ns} ns")
        check(sum(row["ns"] for row in rows) == ns, f"{trace}: rows of {ns} ns")
        table = list(csv.DictReader(io.StringIO(report("csv", "--host", trace), newline="")))
        check([(int(row["gpu_idle_ns"]), int(row["seen_ns"]), int(row["gaps"]), row["what"]) for row in table] ==
              [(row["ns"], row["seen_ns"], row["gaps"], row["state"]) for row in rows], f"{trace}: csv {table}")


def rows_of(trace, *arguments):
    """The rows of the table in md."""
    rows = [line.strip("|").split("|") for line in report("md", "--host", *arguments, trace).splitlines() if line[:1] == "|"]
    check({len(row) for row in rows} == {7}, f"cells: {rows}")
    return [[cell.strip().strip("`") for cell in row] for row in rows[2:]]


def check_table(trace, chain, many, few, one):
    text = " ".join(report("text", "--host", trace).split())
    for words in ("GPU idle 640 ms (68.8 % of the run), 630 ms (98.4 %) of it while the host was busy between calls:",
                  "450 ms 70.3 % 100.0 % 9 running augment.py:41 prepare (NumPy, main thread) 180 ms 28.1 %"):
        check(words in text, f"the table does not say {words}: {text}")
    check(rows_of(chain) == [
        ["350 ms", "54.7 %", "100.0 %", "7", "running", "augment.py:41 pre;pare? (NumPy, main thread)", ""],
        ["180 ms", "28.1 %", "100.0 %", "9", "waiting for a thread (mutex)", "train.py:30 main (queue.get, main thread)",
         "meanwhile loader.py:20 read (connection.recv, thread loader-0) waiting for input from pipe 90.0 %, "
         "no thread that was looked at 10.0 %"],
        ["50.0 ms", "7.8 %", "100.0 %", "1", "collecting garbage", "augment.py:41 pre;pare? (NumPy, main thread)", ""],
        ["50.0 ms", "7.8 %", "0.0 %", "0", "not looked at", "train.py:31 main (main thread)", ""]], f"rows: {rows_of(chain)}")
    rows = rows_of(many)
    check(len(rows) == 21 and rows[0][0] == "180 ms" and rows[-1][:5] == ["260 ms", "40.6 %", "", "", "other"] and
          rows[-1][5] == "26 lines", f"rows: {rows}")
    check(len(rows_of(many, "--all")) == 46, "--all does not show all rows")
    for path, what in ((few, "other"), (one, "running")):
        check([row[0] for row in rows_of(path)] == ["432 ms", "180 ms", "18.0 ms"] and rows_of(path)[2][4] == what,
              f"rows: {rows_of(path)}")


def check_formats(trace, two):
    text = report("text", "--host", two)
    check("Device 0 idle 640 ms (68.8 % of the run), 630 ms (98.4 %)" in text and "Device 1 idle 785 ms" in text,
          f"two devices: {text}")
    sums = {}
    for row in csv.DictReader(io.StringIO(report("csv", "--host", two), newline="")):
        sums[row["device"]] = sums.get(row["device"], 0) + int(row["gpu_idle_ns"])
    of_devices = {f"Device {device['device']}": next(row["ns"] for row in device["idle"] if row["cause"] == "host-work")
                  for device in json.loads(report("json", two))["headline"]["devices"]}
    check(sums == of_devices and len(sums) == 2, f"two devices: {sums}, in JSON {of_devices}")
    check(report("json", "--host", trace) == report("json", trace), "json has not all in each report")
    check(report("text", "--host", trace, trace).count("GPU idle 640 ms") == 2, "not a table each")
    check(len(report("csv", "--host", trace, trace).splitlines()) == 5, "rows of two traces")


def check_narrow(trace):
    """Long texts go on below, and no line is wider than the page."""
    lines = report("text", "--host", trace).splitlines()
    check(max(map(len, lines)) <= 80, f"too wide: {lines}")
    check(any(line.strip() == "thread         main thread)" for line in lines), f"a row of several lines: {lines}")


def check_refused(folder, trace):
    old = os.path.join(ROOT, "samples/recordings/pageable_copy.db")
    off = make_trace(folder, "off.db", """DELETE FROM host_states;
        UPDATE metadata SET value = 'off: STREAMTRACE_HOST=0' WHERE key = 'host_states'""")
    for path, why in ((old, "a trace before format 2.5"), (off, "STREAMTRACE_HOST=0")):
        for arguments in (["report", "--host"], ["export", "--format=collapsed"]):
            error = run(*arguments, path, status=3)
            check(error.count("\n") == 1 and f"{path}: no host states recorded ({why}): trace" in error, error)
        output = os.path.join(folder, "none")
        run("export", "--format=collapsed", "-o", output, path, status=3)
        check(not os.path.exists(output), "a file of no stacks")
    report("html", "--host", trace, status=2)
    report("text", "--host", "--top=1", trace, status=2)
    run("export", "--format=csv", trace, status=2)


class Page:
    """Lanes and things of the measured run, as the page's program reads them (analyzer/viewer/lane.h)."""

    def __init__(self, text):
        self.blocks = {int(number): zlib.decompress(base64.b64decode(packed))
                       for number, packed in re.findall(r'<script type="text/plain" id="b(\d+)">([^<]*)', text)}
        self.shown = json.loads(re.search(r'<script type="application/json" id="shown-1">([^<]*)', text)[1])
        self.things = self.packed("things")
        self.lanes = self.packed("runs")[0]["lanes"]
        offset = first = 0
        for row in (row for lane in self.lanes for row in lane["chunks"]):
            offset, first = offset + row[1], first + row[3]
            row[1], row[3] = offset, first

    def packed(self, name):
        block, offset, size = self.shown[name]
        return json.loads(self.blocks[block][offset:offset + size])

    def host_lanes(self):
        return [(lane["kind"], lane["name"]) for lane in self.lanes if lane["group"] == "Host"]

    def numbers(self, block, offset, count):
        """A column, and where the next one begins."""
        values = []
        for _ in range(count):
            value = shift = 0
            while True:
                byte = self.blocks[block][offset]
                offset, value, shift = offset + 1, value | (byte & 127) << shift, shift + 7
                if byte < 128:
                    break
            values.append(value)
        return values, offset

    def events(self, name, kind="states"):
        """[start, end, name, line, function, what the line called, looks] of each event of a thread; times in ms."""
        found = []
        for row in next(lane for lane in self.lanes if (lane["kind"], lane["name"]) == (kind, name))["chunks"]:
            block, offset, count, at = row[:4]
            starts, offset = self.numbers(block, offset, count)
            lengths, offset = self.numbers(block, offset, count)
            numbers, offset = self.numbers(block, offset, count)
            amounts, offset = self.numbers(block, offset, count)
            for start, length, number, amount in zip(starts, lengths, numbers, amounts):
                at += start
                thing = self.things[number]
                found.append([at / 1e6, (at + length) / 1e6, thing[1], thing[4], thing[5], thing[2], amount])
        return found


def page_with(folder, changes=""):
    """The page of the trace after these changes."""
    return Page(report("html", make_trace(folder, f"page{len(os.listdir(folder))}.db", changes)))


CALLS = ["in CUDA calls", None, None, None, 0]
WORK = ["running", "augment.py:41", "prepare", "NumPy", 50]
WAIT = ["waiting for a thread", "train.py:30", "main", "queue.get", 20]


def check_lanes(folder):
    """Looks are 1 ms apart, the launch takes 1 ms, the wait for the device 28 ms: calls of their own in the lane. The look into
    the launch tells nothing of the time behind it."""
    page = page_with(folder)
    check(page.host_lanes() == [("thread", "main thread"), ("states", "main thread"), ("states", "thread loader-0"),
                                ("states", "thread 102")], f"lanes: {page.host_lanes()}")
    check([lane.get("folded") for lane in page.lanes if lane["kind"] == "states"] == [None, None, True], "folded lanes")
    step = [[0, 1, *CALLS], [2, 30, *CALLS], [30, 80, *WORK], [80, 100, *WAIT]]
    steps = [[start + 100 * n, end + 100 * n, *what] for n in range(10) for start, end, *what in step]
    check(page.events("main thread") == steps[:-2], f"main thread: {page.events('main thread')[:6]}")
    decode = ["running", "loader.py:12", "fill", "json.loads", 18]
    put = ["waiting for a thread", "loader.py:7", "fill", "queue.put"]
    check(page.events("thread loader-0")[:3] == [[0, 80, *put, 82], [80, 98, *decode], [98, 180, *put, 82]],
          f"loader: {page.events('thread loader-0')[:3]}")
    check([event[2] for event in page.events("thread 102")] == ["waiting for input from pipe"], "the third thread")
    check(page.shown["states"][:3] == ["ready, without a processor", "running", "asleep"], f"names: {page.shown['states']}")


def check_ready(folder):
    """Time without a processor stands at the end of what the thread would have done."""
    events = page_with(folder, "UPDATE host_states SET ready_ns = 10000000 WHERE site_id = 10").events("main thread")
    check(events[2:5] == [[30, 70, *WORK], [70, 80, "ready, without a processor", *WORK[1:]], [80, 100, *WAIT]],
          f"ready: {events[2:5]}")


SHORT_CALL = """INSERT INTO calls (id, thread_id, function_id, start_ns, end_ns, result, api_path, per_thread_stream, site_id)
    VALUES (100, 100, 2, 1%d000000, 1%d000000 + 500000, 0, 0, 0, 2);"""


def check_short_calls(folder):
    """A call that is shorter than looks are apart does not cut what is around it. Looks into such calls are "in CUDA calls", up
    to the next look, unless that comes late."""
    events = page_with(folder, SHORT_CALL % (120, 120)).events("main thread")
    check(events[2] == [30, 80, *WORK], f"a call in between: {events[2]}")
    look = SHORT_CALL % (100, 100)
    events = page_with(folder, look).events("main thread")
    check(events[1:3] == [[2, 80, *CALLS], [80, 100, *WAIT]], f"a look into it: {events[1:3]}")
    late = "UPDATE host_states SET looks = 10 WHERE site_id = 10 AND start_ns = 1100000000"
    events = page_with(folder, look + late).events("main thread")
    # Looks are 1.05 ms apart now, and the launch is a short call, too.
    check(events[:2] == [[1, 30.5, *CALLS], [80, 101, *WAIT]], f"a late look: {events[:2]}")


def check_other_pages(folder):
    """Ranges stand above their thread's states; without states threads keep their names, and nothing else is new."""
    ranges = "INSERT INTO nvtx_ranges VALUES (1, 1, %d, 1200000000, 1300000000, %d, 1, NULL, NULL)"
    page = page_with(folder, ranges % (102, 102))
    check(page.host_lanes()[3:] == [("ranges", "NVTX 102"), ("states", "thread 102")], f"ranges: {page.host_lanes()}")
    check("folded" not in page.lanes[-1], "a thread with ranges is folded")
    page = page_with(folder, "DELETE FROM host_states;" + ranges % (102, 102))
    check(page.host_lanes() == [("thread", "main thread"), ("ranges", "NVTX 102")], f"without: {page.host_lanes()}")
    check("states" not in page.shown, "names of states that are not there")


def check_looks_into_calls(folder):
    """All looks fell into calls: nothing is known of the time between them."""
    path = make_trace(folder, "calls.db", "DELETE FROM host_states WHERE state != 6")
    idle = json.loads(report("json", path))["headline"]["idle"]
    rows = next(row for row in idle if row["cause"] == "host-work")["host"]
    check([(row["ns"], row["state"]) for row in rows] == [(630000000, "not known")], f"looks into calls: {rows}")


with tempfile.TemporaryDirectory() as folder:
    path = make_trace(folder)
    changes = {"chain": CHAIN, "many": MANY, "odd": ODD, "few": FEW,
               "one": FEW + "UPDATE host_states SET site_id = 100 WHERE site_id = 101",
               "two": """INSERT INTO devices (id, name) VALUES (1, 'NVIDIA H100'); INSERT INTO contexts VALUES (2, 1, 9);
                         INSERT INTO streams VALUES (2, 9, 3, 0, NULL, NULL, NULL);
                         INSERT INTO operations (kind, start_ns, end_ns, device_id, context_id, stream_id, correlation_id, name_id)
                           SELECT 1, start_ns, end_ns, 1, 2, 9, correlation_id, 1 FROM operations WHERE correlation_id % 4 = 1""",
               "elsewhere": """UPDATE metadata SET value = 200 WHERE key = 'process_id';
                               UPDATE metadata SET value = 'elsewhere' WHERE key = 'host';
                               INSERT INTO metadata VALUES ('rank', '1')"""}
    chain, many, odd, few, one, two, elsewhere = (make_trace(folder, name + ".db", change) for name, change in changes.items())
    check_text(path)
    check_brief_causes(many)
    check_json(path)
    check_collapsed(folder, path, chain, elsewhere)
    check_sums(path, chain, many, odd, few, one)
    check_table(path, chain, many, few, one)
    check_formats(path, two)
    check_narrow(path)
    check_refused(folder, path)
    for check_page in (check_lanes, check_ready, check_short_calls, check_other_pages, check_looks_into_calls):
        check_page(folder)
sys.exit(failures > 0)
