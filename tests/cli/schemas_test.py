#!/usr/bin/python3
"""JSON for scripts: schemas_test.py STREAMTRACE SOURCE_DIR

What each command prints with --format=json over all recordings against the schema that it prints with
--json-schema; that each property of the schemas is described; and the object that stands for an error.
"""
import concurrent.futures
import glob
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile

import schemas

STREAMTRACE, SOURCE = sys.argv[1:]
RECORDINGS = os.path.join(SOURCE, "samples", "recordings")
RANKS = os.path.join(SOURCE, "tests", "recordings", "ranks")
failures = 0


def check(condition, text):
    global failures
    if not condition:
        print(f"schemas: {text}")
        failures += 1


def run(*arguments, **options):
    return subprocess.run([STREAMTRACE, *arguments], capture_output=True, text=True, cwd=SOURCE, **options)


def schema_of(*arguments):
    done = run(*arguments)
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    schema = json.loads(done.stdout)
    for what in schemas.undescribed(schema):
        check(False, f"{arguments}: no description of {what}")
    return schema


def check_output(schema, statuses, *arguments):
    done = run(*arguments, "--no-measure", "--format=json")
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
    names = sorted(name for name in os.listdir(RECORDINGS) if name.endswith(".db"))
    traces = [os.path.join("samples", "recordings", name) for name in names]
    broken = [trace for trace in traces if not trace.endswith(".fixed.db")]
    asked = [(report, {0}, "report", "--all", "--source", "--edit", trace) for trace in traces]
    asked += [(whatif, {0}, "whatif", "--apply=all", trace) for trace in traces]
    asked += [(gate, {0, 1, 4}, "check", trace) for trace in traces]
    asked += [(gate, {0, 1, 4}, "diff", trace, trace.replace(".db", ".fixed.db")) for trace in broken]
    asked += [(report, {0}, "report", *traces[:3])]
    with tempfile.TemporaryDirectory() as folder:
        unpack_ranks(folder)
        asked += [(schema_of("report", "--json-schema=job"), {0}, "report", os.path.join(folder, job))
                  for job in sorted(os.listdir(folder))]
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
             ("unreadable", 3, "diff", some, "missing.db"), ("unreadable", 3, "report", "-o", "/no/such/folder/x", some)]
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


check_outputs()
check_errors()
check_no_error()
sys.exit(1 if failures else 0)
