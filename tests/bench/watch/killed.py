#!/usr/bin/env python3
"""kill -9 in the middle of an incident: is what is left readable?

    killed.py BUILD [TIMES [BESIDE]]

Runs steps.c TIMES times (default 100), BESIDE at once (default 8), watched. Each is killed a random time, of up to 0.8 s, after its
incident's file has appeared. Prints how many files `streamtrace report` reads, and how they ended: "no calls" where only the incident
was committed, "begun" where nothing was, for some 5 ms; and what report says of those that it does not read.
"""
import collections
import concurrent.futures
import contextlib
import itertools
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LATEST_S = 0.8  # some are killed after the file's end, which is counted
WAIT_S = 30
NO_CALLS = 5  # report's exit status


def end_of(path):
    """"begun": there is nothing in it but perhaps the tables."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as file:
        rows = dict(file.execute("SELECT key, value FROM metadata"))
        return rows["end"] if len(rows) > 2 else "begun"
    return "unreadable" if path.stat().st_size else "begun"


def kill_one(build, folder, number):
    """(the end that the file tells, None or what report says that cannot read it); ("no file", ...)."""
    name = folder / f"killed.{number}"
    incident = folder / f"killed.{number}.incident-1.db"
    environment = {**os.environ, "LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_MODE": "watch",
                   "STREAMTRACE_OUTPUT": f"{name}.db", "STREAMTRACE_QUIET": "1", "STREAMTRACE_WATCH_STEPS": "100"}
    with subprocess.Popen([folder / "steps", name], env=environment, stderr=subprocess.DEVNULL) as program:
        end = time.monotonic() + WAIT_S
        while not incident.exists() and time.monotonic() < end and program.poll() is None:
            time.sleep(0.001)
        time.sleep(random.Random(number).uniform(0, LATEST_S))
        program.send_signal(signal.SIGKILL)
    if not incident.exists():
        return "no file", None
    report = subprocess.run([build / "bin/streamtrace", "report", "--no-measure", incident], capture_output=True, text=True)
    if report.returncode in (0, NO_CALLS):
        return end_of(incident) if report.returncode == 0 else "no calls", None
    return end_of(incident), f"{report.returncode}: {report.stderr or report.stdout}"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    times, beside = map(int, sys.argv[2:] + ["100", "8"][len(sys.argv) - 2:])
    cuda = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(beside) as pool:
        folder = pathlib.Path(name)
        subprocess.run(["cc", "-O2", f"-I{ROOT}", f"-I{cuda}/include", "-o", folder / "steps", HERE / "steps.c",
                        f"-L{cuda}/lib64", f"-Wl,-rpath,{cuda}/lib64", "-lcudart"], check=True)
        start = time.monotonic()
        ends = list(pool.map(lambda number: kill_one(build, folder, number), range(times)))
        took_s = time.monotonic() - start
    print("| killed | read by report | ends | seconds |\n|---|---|---|---|")
    counts = collections.Counter(end for end, _ in ends)
    print(f"| {times} | {sum(end != 'no file' and not error for end, error in ends)} | "
          f"{', '.join(f'{end} {count}' for end, count in counts.most_common())} | {took_s:.0f} |")
    for end, errors in itertools.groupby(sorted(row for row in ends if row[1]), lambda row: row[0]):
        for _, error in list(errors)[:2]:
            print(f"{end}: {error.strip()}")


if __name__ == "__main__":
    main()
