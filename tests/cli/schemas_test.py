#!/usr/bin/python3
"""JSON for scripts: schemas_test.py STREAMTRACE SOURCE_DIR [FAKE_CUDA]

What each command prints with --format=json over all recordings against the schema that it prints with
--json-schema; that each property of the schemas is described; and the object that stands for an error. With
FAKE_CUDA, the folder of a driver, that of calibrate on it instead.
"""
import concurrent.futures
import glob
import json
import lzma
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import schemas

STREAMTRACE, SOURCE, *FAKE_CUDA = sys.argv[1:]
RECORDINGS = os.path.join(SOURCE, "samples", "recordings")
RANKS = os.path.join(SOURCE, "tests", "recordings", "ranks")
failures = 0


def check(condition, text):
    global failures
    if not condition:
        print(f"schemas: {text}")
        failures += 1


def run(*arguments, cwd=SOURCE, **options):
    return subprocess.run([STREAMTRACE, *arguments], capture_output=True, text=True, cwd=cwd, **options)


def schema_of(*arguments):
    done = run(*arguments)
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    schema = json.loads(done.stdout)
    for what in schemas.undescribed(schema):
        check(False, f"{arguments}: no description of {what}")
    return schema


def check_output(schema, statuses, *arguments, **options):
    done = run(*arguments, "--format=json", **options)
    if not done.stdout:
        return f"{arguments}: status {done.returncode}, {done.stderr}"
    wrong = list(schemas.errors(json.loads(done.stdout), schema))
    return f"{arguments}: status {done.returncode}, {wrong}" if wrong or done.returncode not in statuses else None


def check_outputs():
    """Each command on each recording, two at a time."""
    report, whatif, gate = schema_of("report", "--json-schema"), schema_of("whatif", "--json-schema"), schema_of(
        "check", "--json-schema")
    check(gate == schema_of("diff", "--json-schema"), "check and diff have two schemas")
    check(report == schema_of("report", "--json-schema=report"), "two schemas of reports")
    schema_of("try", "--json-schema")  # what it prints is for tests/preload/try_test.py
    names = sorted(name for name in os.listdir(RECORDINGS) if name.endswith(".db"))
    traces = [os.path.join("samples", "recordings", name) for name in names]
    broken = [trace for trace in traces if not trace.endswith(".fixed.db")]
    asked = [(report, {0}, "report", "--no-measure", "--all", "--source", "--edit", trace) for trace in traces]
    asked += [(whatif, {0}, "whatif", "--no-measure", "--apply=all", trace) for trace in traces]
    asked += [(gate, {0, 1, 4}, "check", "--no-measure", trace) for trace in traces]
    asked += [(gate, {0, 1, 4}, "diff", "--no-measure", trace, trace.replace(".db", ".fixed.db")) for trace in broken]
    asked += [(report, {0}, "report", "--no-measure", *traces[:3])]
    info = schema_of("info", "--json-schema")
    asked += [(info, {0}, "info", trace) for trace in traces] + [(info, {0}, "info", *traces[:3])]
    with tempfile.TemporaryDirectory() as folder:
        unpack_ranks(folder)
        jobs = [os.path.join(folder, job) for job in sorted(os.listdir(folder))]
        asked += [(schema_of("report", "--json-schema=job"), {0}, "report", "--no-measure", job) for job in jobs]
        asked += [(info, {0}, "info", job) for job in jobs]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for wrong in pool.map(lambda one: check_output(*one), asked):
                check(not wrong, wrong)


def unpack_ranks(folder):
    """A folder a job, with the traces of its ranks."""
    for packed in sorted(glob.glob(os.path.join(RANKS, "*", "*.db.xz"))):
        job, name = packed.split(os.sep)[-2:]
        os.makedirs(os.path.join(folder, job), exist_ok=True)
        with lzma.open(packed) as trace, open(os.path.join(folder, job, name[:-len(".xz")]), "wb") as out:
            shutil.copyfileobj(trace, out)


def check_explain():
    """Each finding by itself and in the list of all, which the text lists, too."""
    schema = schema_of("explain", "--json-schema")
    wrong = check_output(schema, {0}, "explain")
    check(not wrong, wrong)
    every = json.loads(run("explain", "--format=json").stdout)["findings"]
    listed = [line.split()[0] for line in run("explain").stdout.splitlines() if line[:1] > " "]
    check(listed == [one["id"] for one in every], f"explain lists {listed}")
    for one in every:
        value = json.loads(run("explain", one["id"], "--format=json").stdout)
        check(value["findings"] == [one], f"explain {one['id']} is another one in the list of all")
        text = " ".join(run("explain", one["id"]).stdout.split()).lower()
        said = [one[key] for key in ("what", "why", "evidence", "cost", "looks_like_it", "code_c", "code_python")]
        said += [fix[key] for fix in one["fixes"] for key in ("fix", "other_fix", "relies_on", "price") if fix[key]]
        for words in said:
            check(" ".join(words.split()).lower() in text, f"explain {one['id']} does not say {words!r}")


def check_info():
    """The figures of the text."""
    some = os.path.join("samples", "recordings", "pageable_copy.db")
    value = json.loads(run("info", some, "--format=json").stdout)
    text = run("info", some).stdout
    rows = [line.split() for line in text.splitlines()]
    check(f"trace format {value['format']['major']}.{value['format']['minor']}\n" in text, "another format")
    check(value["file_bytes"] == os.path.getsize(os.path.join(SOURCE, some)), f"{value['file_bytes']} bytes")
    for name, count in value["rows"].items():
        check([name, f"{count:,}"] in rows, f"info does not say {count} rows of {name}")
    for one in value["operations"]:
        row = [one["kind"], f"{one['total']:,}", f"{one['with_call']:,}"]
        check(row in rows, f"info does not say {row}")
    check(sum(one["total"] for one in value["operations"]) == value["rows"]["operations"], "operations are missing")
    check(f", {value['events']:,} events\n" in text, f"{value['events']} events")
    check(value["metadata"]["program"] == "pageable_copy", "no metadata")
    done = run("info", some, "missing.db", "--format=json")
    check(done.returncode == 3 and len(json.loads(done.stdout)) == 1, "info of one of two")


def check_graphs():
    """Two launches of four nodes: 10 ms, then 10 beside 20, then 10."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "graphs.db")
        parts = ("preload/schema.sql", "tests/support/prelude.sql", "tests/detectors/scenes/h100.sql",
                 "tests/detectors/graph-branches/behind-copy.sql")
        with sqlite3.connect(trace) as database:
            for part in parts:
                database.executescript(open(os.path.join(SOURCE, part)).read().split("-- Found:")[0])
        value = json.loads(run("info", trace, "--format=json").stdout)
        check(list(schemas.errors(value, schema_of("info", "--json-schema"))) == [], "graphs against the schema")
        [graph] = value["graphs"]
        check(graph["place"] == "app.cu:80", f"launched at {graph['place']}")
        check([graph[key] for key in ("launches", "nodes", "streams", "time_ns", "critical_path_ns")] ==
              [2, 4, 2, 40_000_000, 40_000_000], f"graphs: {graph}")
        said = " ".join(run("info", trace).stdout.split())
        check("app.cu:80 2 4 2 40.0 ms 40.0 ms" in said, f"info says {said}")
        with sqlite3.connect(trace) as database:
            database.execute("DELETE FROM graph_edges WHERE to_id IN (104, 105)")
            database.execute("INSERT INTO graph_edges VALUES (102, 105, 0, 0)")
        [graph] = json.loads(run("info", trace, "--format=json").stdout)["graphs"]
        check(graph["critical_path_ns"] == 20_000_000, f"nodes that wait for less: {graph}")
        with sqlite3.connect(trace) as database:
            database.execute("UPDATE graph_edges SET kind = 1 WHERE to_id = 105")
        [graph] = json.loads(run("info", trace, "--format=json").stdout)["graphs"]
        check(graph["critical_path_ns"] is None, f"a programmatic edge: {graph}")
        with sqlite3.connect(trace) as database:
            database.execute("DELETE FROM graph_edges")
        [graph] = json.loads(run("info", trace, "--format=json").stdout)["graphs"]
        check(graph["critical_path_ns"] is None, f"without edges: {graph}")


def check_baselines():
    schema = schema_of("baseline", "--json-schema")
    some = os.path.join(RECORDINGS, "pageable_copy.db")
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, ".git"))
        here = {"cwd": folder}
        for command in (["list"], ["save", "main", "--no-measure", some], ["save", "other", "--no-measure", some, some],
                        ["list"]):
            wrong = check_output(schema, {0}, "baseline", *command, **here)
            check(not wrong, wrong)
        value = json.loads(run("baseline", "list", "--format=json", **here).stdout)
        check([(one["name"], one["runs"]) for one in value["baselines"]] == [("main", 1), ("other", 2)], f"{value}")
        check(value["folder"] == os.path.join(folder, ".streamtrace", "baselines"), value["folder"])
        report = json.loads(run("report", "--no-measure", "--format=json", some).stdout)
        for key in ("untraced_ns", "lost_overlap_ns"):
            check(value["baselines"][0][key] == report["headline"][key], f"{key} is not the report's")
        again = json.loads(run("baseline", "save", "main", "--no-measure", some, "--format=json", **here).stdout)
        check(again["baselines"] == value["baselines"][:1], f"saved {again}")
        for name, rest in (("main", 1), ("other", 0)):
            with open(os.path.join(value["folder"], name + ".json"), "w") as out:
                out.write("{}")
            done = run("baseline", "list", "--format=json", **here)
            said = json.loads(done.stdout)
            check(done.returncode == 3 and ("error" in said if not rest else len(said["baselines"]) == rest),
                  f"with a broken {name}: {done.stdout}")


def check_calibration():
    """On a driver that needs no GPU."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "LD_LIBRARY_PATH": FAKE_CUDA[0], "XDG_CACHE_HOME": cache,
                       # A sanitizer's runtime wants to be the first library, and it is not.
                       "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0"}
        done = run("calibrate", "--format=json", env=environment)
    check(done.returncode == 0, f"calibrate: {done.stderr}")
    value = json.loads(done.stdout)
    for error in schemas.errors(value, schema_of("calibrate", "--json-schema")):
        check(False, f"calibrate: {error}")
    check(len(value["calls"]) == 2 * 2 * 5, f"{len(value['calls'])} kinds of calls")


def check_errors():
    """One object on standard output, and the same line on standard error as without --format=json."""
    schema = schema_of("report", "--json-schema=error")
    some = os.path.join(RECORDINGS, "pageable_copy.db")
    wrong = [("usage", 2, "report"), ("usage", 2, "report", "--top=0", some), ("usage", 2, "report", "--nonsense", some),
             ("usage", 2, "reprot", some), ("usage", 2, "report", "--host", "--edit", some), ("usage", 2, "whatif", some),
             ("usage", 2, "whatif", "--apply=nothing", some), ("usage", 2, "check"), ("usage", 2, "diff", some),
             ("usage", 2, "check", "--deny=nothing", some), ("unreadable", 3, "report", "missing.db"),
             ("unreadable", 3, "report", "a.db", "b.db"), ("unreadable", 3, "report", os.path.join(SOURCE, "README.md")),
             ("unreadable", 3, "whatif", "--apply=1", "missing.db"), ("unreadable", 3, "check", "missing.db"),
             ("unreadable", 3, "diff", some, "missing.db"), ("usage", 2, "info"), ("unreadable", 3, "info", "missing.db"),
             ("unreadable", 3, "info", "a.db", "b.db"), ("usage", 2, "explain", "pageable"),
             ("usage", 2, "explain", "pageable-copy", "x"), ("usage", 2, "baseline"), ("usage", 2, "baseline", "x"),
             ("usage", 2, "baseline", "list", "x"), ("usage", 2, "baseline", "save", "x"),
             ("unreadable", 3, "baseline", "save", "x", "missing.db"), ("usage", 2, "calibrate", "--nonsense"), ("unreadable", 3, "report", "-o", "/no/such/folder/x", some)]
    for kind, status, *arguments in wrong:
        done = run(*arguments, "--format=json")
        check(done.returncode == status, f"{arguments}: status {done.returncode}")
        value = json.loads(done.stdout)
        for error in schemas.errors(value, schema):
            check(False, f"{arguments}: {error}")
        said = value["error"]
        check((said["kind"], said["exit_status"]) == (kind, status), f"{arguments}: {said}")
        lines = "".join(f"streamtrace: {line}\n" for line in said["message"].split("\n"))
        check(said["message"] and done.stderr == lines, f"{arguments}: {said['message']!r} and {done.stderr!r}")
        check(run(*arguments).stdout == "", f"{arguments}: a result without --format=json")


def check_no_error():
    """Nothing beside a result; and nothing where JSON is not what the command itself was asked for."""
    some = os.path.join(RECORDINGS, "pageable_copy.db")
    done = run("report", "--no-measure", "--format=json", some, "missing.db")
    check(done.returncode == 3 and len(json.loads(done.stdout)) == 1, f"one of two: {done.stderr}")
    done = run("run", "/no/such/program", "--format=json")
    check(done.stdout == "", f"an error of run: {done.stdout}")
    done = run("report", "--format", "json", "missing.db")
    check("error" in json.loads(done.stdout), "--format json in two words")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.json")
        done = run("report", "--no-measure", "--format=json", "-o", file, some)
        check(done.stdout == "" and json.load(open(file))["findings"], "a report in a file")


if FAKE_CUDA:
    check_calibration()
else:
    check_outputs()
    check_explain()
    check_info()
    check_graphs()
    check_baselines()
    check_errors()
    check_no_error()
sys.exit(1 if failures else 0)
