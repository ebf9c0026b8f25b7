#!/usr/bin/python3
"""What reports say of the watch mode's traces: incident_test.py STREAMTRACE ROOT

Each case is incident.sql with what made step 48,213 slow by a second, and the first line of the report that must come of it.
Exit status: 0 all is well, 1 something is not, which is printed.
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

import schemas

STREAMTRACE, ROOT = sys.argv[1:3]
failures = 0

# The usual parts of the slow step, 1,000 ms later, behind what comes first; or the wait takes so much longer.
LATE = "INSERT INTO work VALUES (200, 1000); INSERT INTO wait VALUES (1204.5, 1209.5);"
LONG_WAIT = "INSERT INTO work VALUES (200, 0); INSERT INTO wait VALUES (204.5, 1209.5);"


def state(state, site, ready=0, faults=0, name="NULL", start=204, end=1204, thread=100):
    return f"INSERT INTO host_state VALUES ({thread}, '{state}', {site}, {start}, {end}, {ready}, {faults}, {name});"


def call(function, line, enter, leave, more=""):
    return (f"INSERT INTO call (function, stream, line, enter, leave) VALUES ('{function}', 13, {line}, {enter}, {leave});"
            f"{more}")


STACK = "INSERT INTO stack VALUES "
CASES = {
    # SIGSTOP while it works, and in a call.
    "stopped": (LATE + state("running", 101, end=214) + state("stopped with its process", "NULL", start=214, end=1200) +
                state("running", 101, start=1200),
                "986 ms in which the whole process was stopped (SIGSTOP, a debugger or the machine)"),
    "stopped-in-call": (LONG_WAIT + "UPDATE host_states SET end_ns = 1206000000 WHERE start_ns = 1204500000;" +
                        state("stopped with its process", "NULL", start=206, end=1206),
                        "1.00 s in which the whole process was stopped (SIGSTOP, a debugger or the machine)"),
    "page-cache": (LATE + state("waiting for input", 103, name="'/data/train.bin'"),
                   "1.00 s waiting for I/O on /data/train.bin at loader.py:12 fill"),
    "late-kernel": (STACK + "(104, 0, '/home/u/model.py', 77, 'eval', NULL);" +
                    call("__cudaLaunchKernel", 104, 204, 1204, "UPDATE calls SET object = 777 WHERE site_id = 104;") + LATE,
                    "1.00 s in __cudaLaunchKernel at model.py:77, the first launch of its kernel in this trace: its code may have been loaded then"),
    "late-kernel-again": (
        STACK + "(104, 0, '/home/u/model.py', 77, 'eval', NULL);" +
        call("__cudaLaunchKernel", 104, 204, 1204, "UPDATE calls SET object = 500 WHERE site_id = 104;") + LATE,
        "1.00 s in __cudaLaunchKernel at model.py:77, which normal steps do not call"),
    "malloc": (call("cudaFree", 76, 204.5, 205) + call("cudaMalloc", 77, 205, 1205) +
               "INSERT INTO work VALUES (200, 0); INSERT INTO wait VALUES (1205, 1209.5);",
               "1.00 s in cudaMalloc at app.cu:77 after cudaFree at app.cu:76, which normal steps do not call"),
    "malloc-behind": (call("cudaMalloc", 77, 204.5, 1204.5) +
                      "INSERT INTO work VALUES (200, 0); INSERT INTO wait VALUES (1204.5, 1209.5);",
                      "1.00 s in cudaMalloc at app.cu:77, which normal steps do not call, behind kernel \"work\" at app.cu:10, "
                      "the longest of 2 operations since the last wait, as in a normal step"),
    # One line of Python, as loss.item(): no call of it has as much as the work at another line.
    "calls-of-a-line": ("INSERT INTO work VALUES (200, 0);" + state("running", 102, start=204.4, end=604.4) +
                        call("cudaMemcpyAsync", 77, 604.4, 904.4) + call("cudaStreamSynchronize", 77, 904.4, 1204.4) +
                        "INSERT INTO wait VALUES (1204.5, 1209.5);",
                        "600 ms in cudaMemcpyAsync (300 ms) and other calls at app.cu:77, which normal steps do not call, behind kernel "
                        "\"work\" at app.cu:10, the longest of 2 operations since the last wait, as in a normal step"),
    "logger": (STACK + "(105, 0, '/usr/lib/python3.12/logging/__init__.py', 1113, 'StreamHandler.emit', NULL),"
               "(105, 1, '/home/u/train.py', 44, 'log', NULL);" + LATE + state("waiting for input", 105, name="'/var/log/app.log'"),
               "1.00 s waiting for I/O on /var/log/app.log at train.py:44 log"),
    "logger-sleeps": (STACK + "(105, 0, '/home/u/train.py', 45, 'log_again', NULL);" + LATE + state("asleep", 105),
                      "1.00 s asleep at train.py:45 log_again"),
    "garbage": (LATE + state("collecting garbage", 101), "1.00 s collecting garbage at train.py:30 main"),
    "larger-copy": (LONG_WAIT + "UPDATE calls SET size_bytes = 2100000000 WHERE site_id = 11 AND start_ns > 1200000000;",
                    "1.00 s more in cudaStreamSynchronize at app.cu:12 behind cudaMemcpyAsync of 2.10 GB at app.cu:11 "
                    "(normal: 1.00 MB)"),
    "other-copy": (LONG_WAIT + call("cudaMemcpyAsync", 20, 204.4, 204.5, "UPDATE calls SET size_bytes = 800000000 WHERE site_id = 20;"),
                   "1.00 s more in cudaStreamSynchronize at app.cu:12 behind cudaMemcpyAsync of 800 MB at app.cu:20, which normal "
                   "steps do not call"),
    "blocking-copy": ("INSERT INTO work VALUES (200, 0);" + call("cudaMemcpy", 21, 204.5, 1204.5,
                      "UPDATE calls SET size_bytes = 800000000 WHERE site_id = 21;") + "INSERT INTO wait VALUES (1204.5, 1209.5);",
                      "1.00 s in cudaMemcpy at app.cu:21, of 800 MB, which normal steps do not call"),
    "straggler": (LONG_WAIT, "1.00 s more in cudaStreamSynchronize at app.cu:12 behind kernel \"work\" at app.cu:10, the longest of 2 "
                  "operations since the last wait, as in a normal step"),
    "collective": (LONG_WAIT + "INSERT INTO collectives (start_ns, end_ns, thread_id, operation, stream_handle, size_bytes, datatype) VALUES "
                   "(1204350000, 1204360000, 100, 1, 1300, 4, 7);",
                   "1.00 s more in cudaStreamSynchronize at app.cu:12 behind kernel \"work\" at app.cu:10, the longest of 2 "
                   "operations since the last wait; collectives are among them: another rank can be late"),
    "queue-full": (STACK + "(108, 0, '/home/u/model.py', 78, 'eval', NULL);"
                   "UPDATE rounds SET times = 20, ms = 10;" + call("__cudaLaunchKernel", 108, 3, 3.1) +
                   "UPDATE rounds SET times = 1, ms = 0;" + call("__cudaLaunchKernel", 108, 204.4, 1204.4) +
                   "UPDATE calls SET object = 500 WHERE site_id = 108; INSERT INTO work VALUES (200, 0); "
                   "INSERT INTO wait VALUES (1204.5, 1209.5);",
                   "1.00 s more in __cudaLaunchKernel at model.py:78 behind kernel \"work\" at app.cu:10, the longest of 2 "
                   "operations since the last wait, as in a normal step"),
    "crowded": (LATE + state("running", 101, ready=990),
                "990 ms without a processor, which other threads or programs had, at train.py:30"),
    "crowded-in-call": (LONG_WAIT + "UPDATE host_states SET ready_ns = 950000000, state = 0 WHERE start_ns = 1204500000;",
                        "950 ms without a processor, which other threads or programs had, at app.cu:12"),
    "lock": (STACK + "(106, 0, '/home/u/metrics.py', 9, 'flush', NULL);" + LATE + state("waiting for a thread", 102, name="'mutex'") +
             state("running", 106, thread=200),
             "1.00 s waiting for a lock at train.py:31 main while metrics.py:9 flush (thread 200) ran"),
    "lock-of-sleeper": (STACK + "(106, 0, '/home/u/metrics.py', 9, 'flush', NULL);" + LATE +
                        state("waiting for a thread", 102, name="'mutex'") + state("asleep", 106, thread=200) +
                        state("running", 106, thread=200, start=1204, end=1210),
                        "1.00 s waiting for a lock at train.py:31 main while metrics.py:9 flush (thread 200) asleep"),
    # Looks come farther apart from then on: nothing is missing.
    "sparse": (LATE + state("running", 102) + "UPDATE host_states SET looks = 220 WHERE start_ns = 1204000000;",
               "1.00 s running at train.py:31 main", "UPDATE host_states SET looks = 1 WHERE start_ns >= 2210000000;"),
    "compile": (STACK + "(107, 0, '/usr/lib/python3/dist-packages/triton/compiler/compiler.py', 300, 'compile', NULL),"
                "(107, 1, '/home/u/model.py', 12, 'forward', NULL);" + LATE + state("running", 107),
                "1.00 s compiling at model.py:12 forward"),
    "compile-in-call": (
        STACK + "(107, 0, NULL, NULL, 'compile', '/usr/lib/libnvidia-ptxjitcompiler.so.1'), "
        "(107, 0, '/home/u/model.py', 77, 'eval', NULL);" + call("__cudaLaunchKernel", 31, 204, 1204) + state("running", 107) + LATE,
        "1.00 s in __cudaLaunchKernel at app.cu:31, compiling, which normal steps do not call"),
    "faults": (LATE + state("running", 103, faults=900000) + "UPDATE host_states SET system_ns = 900000000 WHERE faults = 900000;",
               "1.00 s in page faults (900,000 of them) at loader.py:12 fill"),
    # Before a kernel's first launch the runtime looks it up, in a call that is not recorded.
    "lookup": (STACK + "(104, 0, '/home/u/model.py', 77, 'eval', NULL);" + LATE + state("running", 104, faults=900000, end=1203.9) +
               "UPDATE host_states SET system_ns = 900000000 WHERE faults = 900000;" +
               call("__cudaLaunchKernel", 104, 1203.9, 1204, "UPDATE calls SET object = 777 WHERE site_id = 104;"),
               "1.00 s in page faults (900,000 of them) at model.py:77 eval, right before the first launch of its kernel in this trace: "
               "its code may have been loaded then"),
    "lookup-elsewhere": (STACK + "(104, 0, '/home/u/model.py', 77, 'eval', NULL);" + LATE +
                         state("running", 103, faults=900000, end=1203.9) +
                         "UPDATE host_states SET system_ns = 900000000 WHERE faults = 900000;" +
                         call("__cudaLaunchKernel", 104, 1203.9, 1204, "UPDATE calls SET object = 777 WHERE site_id = 104;"),
                         "1.00 s in page faults (900,000 of them) at loader.py:12 fill"),
    "read": (LATE + state("running", 103), "1.00 s running at loader.py:12 fill; the thread read 64.0 MB from storage (normal: 95.0 kB)",
             "UPDATE steps SET read_bytes = 64000000 WHERE number = 48213;"),
    "read-not-looked-at": (LATE + "DELETE FROM host_states;",
                           "1.00 s more in own code before __cudaLaunchKernel at app.cu:10, not looked at; the thread read 64.0 MB from "
                           "storage (normal: 95.0 kB)", "UPDATE steps SET read_bytes = 64000000 WHERE number = 48213;"),
    "read-too-little": (LATE + state("running", 103), "1.00 s running at loader.py:12 fill",
                        "UPDATE steps SET read_bytes = 900000 WHERE number = 48213;"),
    # The only look was before a call: what the thread does behind it nobody saw.
    "looked-at-before": (LATE + state("running", 103) + call("cudaMemcpyAsync", 20, 504, 504.5) +
                         "UPDATE host_states SET looks = 1 WHERE start_ns = 1204000000;",
                         "700 ms more in own code before __cudaLaunchKernel at app.cu:10, not looked at"),
    "not-looked-at": (LATE + "DELETE FROM host_states;",
                      "1.00 s more in own code before __cudaLaunchKernel at app.cu:10, not looked at"),
}


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", what)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as rows:
        return rows.read()


def make_trace(folder, name, sql, behind=""):
    path = os.path.join(folder, name + ".incident-1.db")
    script = [read("preload/schema.sql"), read("tests/support/prelude.sql"), read("tests/cli/incident.sql"),
              "INSERT INTO extra VALUES (1000);", sql, read("tests/cli/incident_after.sql"), behind]
    with sqlite3.connect(path) as database:
        database.executescript("".join(script))
    return path


def run(*arguments, status=0):
    result = subprocess.run([STREAMTRACE, *arguments], capture_output=True,
                            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "COLUMNS": "400"})
    check(result.returncode == status, f"{arguments}: status {result.returncode}: {result.stderr}")
    return result.stdout.decode()


def report(*arguments):
    return run("report", "--no-measure", *arguments)


def check_cases(folder):
    for name, (sql, cause, *behind) in CASES.items():
        trace = make_trace(folder, name, sql, *behind)
        expected = f"Step 48,213 took 1.01 s (median 10.0 ms): {cause}; 212 steps before it were normal"
        text = report(trace)
        first = "\n".join(text.split("\n\n")[0].splitlines()).replace("\n", " ")
        check(first == expected, f"{name}:\n  {first}\n  {expected}")
        if "-v" in sys.argv:
            print(text)


def check_formats(folder):
    trace = make_trace(folder, "formats", CASES["malloc"][0])
    incident = json.loads(report("--format=json", trace))["incident"]
    check((incident["cause"], incident["step"], incident["step_ns"], incident["median_ns"], incident["normal_before"],
           incident["normal_steps"], incident["extra_ns"]) == ("slow-step", 48213, 1010000000, 10000000, 212, 20, 1000000000),
          f"JSON: {incident}")
    first = incident["parts"][0]
    check((first["kind"], first["call"], first["site"]["line"], first["extra_ns"], first["calls"], first["normal_calls"]) ==
          ("call", "cudaMalloc", 77, 1000000000, 1, 0), f"JSON: {first}")
    own = [part for part in incident["parts"] if not part["other_thread"]]
    check(sum(part["ns"] for part in own) == incident["step_ns"], f"the parts are not the step: {own}")
    schema = json.loads(run("report", "--json-schema"))
    check(schemas.is_valid(json.loads(report("--format=json", trace)), schema, schema), "JSON is not as its schema says")
    check(not list(schemas.keys_without_schema(incident, schema["$defs"]["incident"], schema)), "keys without a schema")
    text = report("--format=md", trace)
    check(text.startswith("### streamtrace: incident\n\n```text\nStep 48,213 took") and "### streamtrace: " in text[10:], text)
    page = report("--format=html", trace).replace("\u00a0", " ")
    check('<p class="incident">Step 48,213 took 1.01 s' in page, "the page has no incident")
    whole = json.loads(run("info", "--format=json", trace))
    check(whole["tables"] if "tables" in whole else whole, "info")
    table = report(trace).split("\n\n")[1].splitlines()
    check(table[0].startswith("Where its time went, against the mean of 20 normal steps:") and
          [line.split() for line in table[2:]] == [
              ["1.00", "s", "1.00", "s", "0", "ns", "1", "0", "cudaMalloc", "app.cu:77"],
              ["500", "us", "500", "us", "0", "ns", "1", "0", "cudaFree", "app.cu:76"]], f"table: {table}")
    exported = os.path.join(folder, "export.json")
    run("export", "--format=kineto", "-o", exported, trace)
    with open(exported, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    waits = sum(event.get("name") == "cudaStreamSynchronize" for event in events)
    check(waits == 26, f"export has {waits} of 26 waits: normal steps, the slow one and those after it")


def check_kinds(folder):
    """What is no slow step, and what is missing."""
    hang = LATE + "INSERT INTO functions VALUES (99, 'cudaEventSynchronize', 'event-sync');"
    behind = """DELETE FROM steps WHERE number >= 48213; DELETE FROM calls WHERE start_ns >= 1205000000; DELETE FROM operations;
        INSERT INTO steps VALUES (48213, 100, 1200000000, NULL, 'nvtx', 'current', NULL);
        UPDATE incidents SET cause = 'hang', thread_id = 100, function_id = 4, entered_ns = 1204500000, site_id = 12,
          noticed_ns = 11204500000, device_start_ns = 11204600000, device_end_ns = 13204600000;"""
    text = report(make_trace(folder, "hang", hang, behind))
    check(text.startswith(
        "cudaStreamSynchronize at app.cu:12 has not returned for 12.0 s in step 48,213; 212 steps before it\n"
        "were normal\nSince 1970-01-01 00:00:01 UTC, main thread:\n  - app.cu:12 run\nGPU, recorded for 2.00 s: no operation ended\n"), text)
    hang_json = json.loads(report("--format=json", os.path.join(folder, "hang.incident-1.db")))["incident"]["hang"]
    check((hang_json["call"], hang_json["ns"], hang_json["returned"], hang_json["stack"]) ==
          ("cudaStreamSynchronize", 12000100000, False, ["app.cu:12 run"]), f"hang: {hang_json}")
    returned = "INSERT INTO call (function, stream, line, enter, leave) VALUES ('cudaStreamSynchronize', 13, 12, 204.5, 11704.5);"
    text = report(make_trace(folder, "over", hang, behind + returned))
    check(text.startswith("cudaStreamSynchronize at app.cu:12 took 11.5 s in step 48,213"), text)
    text = report(make_trace(folder, "trigger", LONG_WAIT, "UPDATE incidents SET cause = 'trigger'; UPDATE steps SET kind = 'current' "
                             "WHERE kind = 'slow';"))
    check(text.startswith("Asked for by streamtrace trigger: step 48,213 took 1.01 s"), text)
    text = report(make_trace(folder, "signal", LONG_WAIT, "UPDATE incidents SET cause = 'signal', step = NULL, median_ns = NULL, "
                             "normal_before = NULL; DELETE FROM steps;"))
    check(text.startswith("Asked for by a signal: no steps are known\n"), text)
    text = report(make_trace(folder, "alone", CASES["malloc"][0], "DELETE FROM steps WHERE kind = 'normal';"))
    check(text.startswith("Step 48,213 took 1.01 s (median 10.0 ms): 1.00 s in cudaMalloc at app.cu:77 behind kernel") and
          "the trace has no normal step to compare with" in text, text)
    text = report(make_trace(folder, "blind", CASES["malloc"][0], "DELETE FROM operations; UPDATE incidents SET device_start_ns = "
                             "NULL, device_end_ns = NULL;"))
    check(text.startswith("Step 48,213 took 1.01 s (median 10.0 ms): 1.00 s in cudaMalloc at app.cu:77 after cudaFree"), text)


def rank(number, start=0):
    return (f"INSERT INTO metadata VALUES ('rank', '{number}'), ('ranks', '3'), ('run', 'torchelastic:7'), ('start_ns', '{1 + start}');"
            f"UPDATE metadata SET value = '{100 + number}' WHERE key = 'process_id';")


def check_ranks(folder):
    """Rank 1 is late, and the others wait for it; rank 2 has time of its own later in the step. Rank 0 has another incident."""
    folder = os.path.join(folder, "ranks")
    os.mkdir(folder)
    later = ("INSERT INTO work VALUES (200, 0); INSERT INTO wait VALUES (204.5, 609.5);" +
             "INSERT INTO host_state VALUES (100, 'collecting garbage', 101, 609.5, 1209.5, 0, 0, NULL);")
    make_trace(folder, "0", LONG_WAIT, rank(0))
    make_trace(folder, "1", CASES["malloc"][0], rank(1))
    make_trace(folder, "2", later, rank(2))
    make_trace(folder, "0b", CASES["garbage"][0], rank(0, 1) + "UPDATE incidents SET step = 50000; UPDATE steps SET number = "
               "50000 WHERE number = 48213;")
    text = run("report", folder)
    first, table = text.split("\n\n")[:2]
    lines = first.splitlines()
    check(" ".join(lines[:2]) == "Step 48,213 was slow on 3 ranks: rank 1 was late first, by 1.00 s in cudaMalloc at app.cu:77 "
          "after cudaFree at app.cu:76, which normal steps do not call", first)
    check([line.split()[:11] for line in lines[3:]] == [
        ["rank", "1", "1.01", "s", "1.00", "s", "1.00", "s", "5.00", "ms", "1.00"],
        ["rank", "2", "1.01", "s", "1.00", "s", "600", "ms", "410", "ms", "600"],
        ["rank", "0", "1.01", "s", "1.00", "s", "0", "ns", "-", "1.00", "s"]], first)
    check(" ".join(table.split()) == "rank 0: step 50,000 took 1.01 s (median 10.0 ms): 1.00 s collecting garbage at train.py:30 main; "
          "212 steps before it were normal", table)
    listed = [line[3:-1] for line in run("report", "--format=md", folder).splitlines() if line.startswith("- `")]
    check(len(listed) == 2 and listed[0].startswith("step 48,213 was slow on 3 ranks: rank 1 was late first") and
          listed[1].startswith("rank 0: step 50,000 took"), f"md of a job: {listed}")
    found = json.loads(run("report", "--format=json", folder))
    schema = json.loads(run("report", "--json-schema=job"))
    check(schemas.is_valid(found, schema, schema) and not list(schemas.keys_without_schema(found, schema, schema)), "JSON of a job")
    check([(step["step"], step["late_first"] and os.path.basename(step["late_first"]), [one["rank"] for one in step["processes"]])
           for step in found["incidents"]] == [(48213, "1.incident-1.db", [1, 2, 0]), (50000, "0b.incident-1.db", [0])],
          f"incidents: {found['incidents']}")
    run("summarize", folder)
    check(run("report", *(os.path.join(folder, f"{name}.incident-1.summary.db") for name in ("0", "1", "2", "0b"))).split("\n\n")[:2] ==
          [first, table], "summaries say something else")
    for name in ("0", "2"):
        os.remove(os.path.join(folder, f"{name}.incident-1.summary.db"))
    text = run("report", os.path.join(folder, "0.incident-1.db"), make_trace(folder, "3", LONG_WAIT, rank(3)))
    check(text.startswith("Step 48,213 was slow on 2 ranks: each waited for the device, and none was late by itself\n"), text)


def check_steps(folder):
    """The report's steps are those of the file, though the calls come back twice in each."""
    longer = ("DELETE FROM steps WHERE number > 48215; UPDATE steps SET start_ns = start_ns + 10000000 * (number - 48214), "
              "end_ns = end_ns + 10000000 * (number - 48213) WHERE number > 48213;")
    for name, behind, says in (("five", "", "5 steps of 10.0 ms"), ("two", longer, "2 steps of 20.0 ms")):
        text = report(make_trace(folder, name, CASES["malloc"][0], behind))
        check(f"\n{says} (median; each begins at app.cu:10)" in text, f"{says}: {text}")


def check_begun(folder):
    """Its program was killed before the first commit of rows."""
    path = os.path.join(folder, "begun.incident-1.db")
    with sqlite3.connect(path) as database:
        database.executescript(read("preload/schema.sql") + "INSERT INTO metadata VALUES ('end', 'running'), ('log', 'unread');")
    result = subprocess.run([STREAMTRACE, "report", path], capture_output=True, text=True, check=False)
    check(result.returncode == 3 and "has nothing of the run: its program was killed as it began to write" in result.stderr,
          f"begun: {result}")


def check_run(folder):
    """run --watch finishes the traces of incidents, which `cp` makes here, and misses no others."""
    trace, output = make_trace(folder, "watched", CASES["malloc"][0]), os.path.join(folder, "run.db")
    for program, says in ((["true"], "streamtrace: no incident was noticed\n"),
                          (["cp", trace, os.path.join(folder, "run.incident-1.db")],
                           f"streamtrace: wrote {folder}/run.incident-1.db; next: streamtrace report {folder}/run.incident-1.db\n")):
        done = subprocess.run([STREAMTRACE, "run", "--watch", "--no-measure", "-o", output, *program], capture_output=True,
                              text=True, env={"PATH": os.environ["PATH"], "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"},
                              check=False)
        check((done.returncode, done.stderr) == (0, says), f"run --watch: {done}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_cases(folder)
        check_formats(folder)
        check_kinds(folder)
        check_ranks(folder)
        check_steps(folder)
        check_begun(folder)
        check_run(folder)
    return 1 if failures else 0


sys.exit(main())
