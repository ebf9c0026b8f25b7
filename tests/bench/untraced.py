#!/usr/bin/env python3
"""Compares the untraced time that reports predict with the time that programs take untraced.

    untraced.py BUILD [ROUNDS [-- COMMAND...]]

Each program runs ROUNDS times (default 5) untraced and traced in turn. Measured is the median of what it
prints itself, the last "NUMBER ms" or "NUMBER s" of its output, untraced; predicted is the median of the
reports' headline.untraced_ns. Only the window between cudaProfilerStart() and cudaProfilerStop() is traced,
so the program must print the time between them. Without COMMAND: the loops of untraced_loops.cu. The last
columns are what the library says of itself, ns a launch. Prints Markdown, and first what `streamtrace
calibrate` measures. Exit status 1 when a prediction is off by more than LIMIT percent (environment,
default 5).
"""
import json
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile

LOOPS = ["launches", "launches-and-work", "mixed-calls", "steps", "results", "kernels", "graphs"]


def own_ms(output):
    """What the program says that it took."""
    times = re.findall(r"([0-9]+(?:\.[0-9]+)?) ?(ms|s)\b", output)
    if not times:
        sys.exit(f"no time in the output: {output[-200:]!r}")
    number, unit = times[-1]
    return float(number) * (1000 if unit == "s" else 1)


def run(command, environment=None):
    return own_ms(subprocess.run(command, check=True, capture_output=True, text=True, timeout=900,
                                 env={**os.environ, **(environment or {})}).stdout)


def library_ns(path):
    """Outside of a launch, inside of it, at its entry; per api_path."""
    file = sqlite3.connect(path)
    rows = file.execute("SELECT api_path, outside_ns / calls, inside_ns / calls, entry_ns / calls, calls "
                        "FROM tool_costs WHERE class = 'launch' ORDER BY calls DESC").fetchall()
    file.close()
    return "; ".join(f"{'driver' if path else 'runtime'} {outside}+{inside}, entry {entry} ({calls})"
                     for path, outside, inside, entry, calls in rows)


def report(build, path):
    output = subprocess.run([build / "bin/streamtrace", "report", "--format", "json", path], check=True,
                            capture_output=True, text=True, timeout=300).stdout
    return json.loads(output)


def score(build, name, command, rounds, path):
    untraced, traced, reports = [], [], []
    run(command)
    for _ in range(rounds):
        untraced.append(run(command))
        traced.append(run(command, {"LD_PRELOAD": str(build / "lib/libstrace.so"),
                                    "STREAMTRACE_START": "paused", "STREAMTRACE_OUTPUT": str(path)}))
        reports.append(report(build, path))
        library = library_ns(path)
        path.unlink()
    measured = statistics.median(untraced)
    predicted = statistics.median(r["headline"]["untraced_ns"] for r in reports) / 1e6
    doubt = statistics.median(r["headline"]["untraced_doubt_ns"] for r in reports) / 1e6
    wall = statistics.median(r["headline"]["wall_ns"] for r in reports) / 1e6
    lost = max(r["trace"]["lost_events"] for r in reports)
    print(f"| {name} | {measured:.1f} ({min(untraced):.1f}..{max(untraced):.1f}) "
          f"| {statistics.median(traced):.1f} ({min(traced):.1f}..{max(traced):.1f}) | {wall:.1f} "
          f"| {predicted:.1f} | {predicted - doubt:.1f}..{predicted + doubt:.1f} "
          f"| {predicted / measured:.3f} | {lost} | {library} |", flush=True)
    return abs(predicted / measured - 1)


def main():
    arguments = sys.argv[1:]
    command = arguments[arguments.index("--") + 1:] if "--" in arguments else None
    arguments = arguments[:arguments.index("--")] if command else arguments
    build = pathlib.Path(arguments[0]).resolve()
    rounds = int(arguments[1]) if len(arguments) > 1 else 5
    programs = {command[0]: command} if command else {
        name: [str(build / "bin/tests/untraced_loops"), name] for name in LOOPS}
    print(subprocess.run([build / "bin/streamtrace", "calibrate"], capture_output=True, text=True).stdout)
    print("| program | untraced, ms | traced, ms | in the trace | predicted untraced | range "
          "| predicted / measured | lost | libstrace.so, a launch: outside+inside, ns |")
    print("|---" * 9 + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.db"
        errors = [score(build, name, program, rounds, path) for name, program in programs.items()]
    print(f"\nMedian error {100 * statistics.median(errors):.1f} %, largest {100 * max(errors):.1f} %.")
    return 100 * max(errors) > float(os.environ.get("LIMIT", "5"))


if __name__ == "__main__":
    sys.exit(main())
