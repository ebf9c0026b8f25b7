#!/usr/bin/python3
"""What reports say of the host's threads: host_test.py STREAMTRACE ROOT

host.sql's steps have 50 ms of work, 20 ms of waiting for a loader's thread and a launch while the GPU is idle. The
first step's work lies before the first CUDA call, which is no part of the run. Exit status: 0 all is well, 1
something is not, which is printed.
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

STREAMTRACE, ROOT = sys.argv[1:3]
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", what)


def make_trace(folder):
    path = os.path.join(folder, "host.db")
    with sqlite3.connect(path) as database:
        for name in ("preload/schema.sql", "tests/cli/host.sql"):
            with open(os.path.join(ROOT, name), encoding="utf-8") as rows:
                database.executescript(rows.read())
    return path


def report(format_name, trace):
    result = subprocess.run([STREAMTRACE, "report", "--no-measure", "--format=" + format_name, trace],
                            capture_output=True, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
    check(result.returncode == 0, f"{format_name}: {result.stderr}")
    return result.stdout


def check_text(trace):
    text = " ".join(report("text", trace).split())
    for words in ("idle because: waiting for augment.py:41 prepare (NumPy, main thread) 70.3 %, waiting for loader.py:12 "
                  "fill (json.loads, thread loader-0), awaited at train.py:30 main (queue.get) 28.1 %, other 1.6 %",
                  "- 450 ms in 9 gaps: waiting for augment.py:41 prepare (NumPy, main thread)"):
        check(words in text, f"the report does not say {words}: {text}")


def check_json(trace):
    idle = json.loads(report("json", trace))["headline"]["idle"]
    rows = next(row for row in idle if row["cause"] == "host-work")["host"]
    check([(row["ns"], row["gaps"], row["state"], row["called"], row["thread"]) for row in rows] ==
          [(450000000, 9, "running", "NumPy", "main thread"),
           (180000000, 9, "waiting for a thread", "queue.get", "main thread")], f"rows: {rows}")
    check((rows[1]["waits_ns"], rows[1]["known_ns"]) == (180000000, 162000000), f"waits: {rows[1]}")
    check([(other["ns"], other["site"]["line"], other["called"], other["thread"]) for other in rows[1]["meanwhile"]] ==
          [(162000000, 12, "json.loads", "thread loader-0")], f"meanwhile: {rows[1]}")


with tempfile.TemporaryDirectory() as folder:
    path = make_trace(folder)
    check_text(path)
    check_json(path)
sys.exit(failures > 0)
