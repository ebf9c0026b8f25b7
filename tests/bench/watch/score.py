#!/usr/bin/env python3
"""Planted slow steps, and what the watch mode's incidents say of them.

    score.py BUILD [SEED...]

For each SEED (default 1 to 5): slow_steps.cu and slow_steps.py, watched. Prints a line for each planted step: whether there
is an incident of it, or of one of the two after it, and the report's first line, which is for a person to judge; and the
incidents of other steps. Needs nvcc, a GPU and PyTorch; two minutes.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
LATE_STEPS = 2  # what is planted in a step can slow the next ones
LIMIT_S = 120
MORE = {"STREAMTRACE_WATCH_HOUR": "3600", "STREAMTRACE_WATCH_DAY": "100000000000"}


def headline_of(build, path):
    report = subprocess.run([build / "bin/streamtrace", "report", "--no-measure", path], capture_output=True, text=True)
    return " ".join((report.stdout + report.stderr).split("\n\n")[0].split())


def watch(build, folder, program):
    """(what was planted: step, kind, ms; what was found: step, headline)"""
    run = subprocess.run([build / "bin/streamtrace", "run", "--watch", "-o", folder / "watched.db", "--", *program],
                         env={**os.environ, **MORE}, capture_output=True, text=True, timeout=LIMIT_S)
    planted = [(int(step), kind, ms) for step, kind, ms in re.findall(r"PLANTED (\d+) (\S+) ([\d.]+) ms", run.stdout)]
    if not planted:
        sys.exit(f"{program}: nothing was planted: {run.stderr}")
    found = []
    for path in sorted(folder.glob("watched.incident-*.db"), key=os.path.getmtime):
        headline = headline_of(build, path)
        step = re.match(r"Step ([\d,]+) ", headline)
        found.append((int(step[1].replace(",", "")) if step else -1, headline))
    return planted, found


def print_found(planted, found):
    for step, kind, ms in planted:
        hit = next((row for row in found if step <= row[0] <= step + LATE_STEPS), None)
        if hit:
            found.remove(hit)
        print(f"{'found ' if hit else 'MISSED'} {kind:18} step {step}, {ms} ms: {hit[1] if hit else ''}")
    for _, headline in found:
        print(f"other  {headline}")


def main():
    build, seeds = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or ["1", "2", "3", "4", "5"]
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/slow_steps"
        subprocess.run(["nvcc", "-O2", "-g", "-lineinfo", "-arch=native", "-cudart=shared", f"-I{ROOT}", "-o", program,
                        HERE / "slow_steps.cu", HERE / "late_kernel.cu", "-lnvrtc"], check=True)
        for seed in seeds:
            for name, command in {"c": [program, seed], "python": [sys.executable, HERE / "slow_steps.py", seed]}.items():
                traces = pathlib.Path(folder, f"{name}.{seed}")
                traces.mkdir()
                print(f"{name}, seed {seed}")
                print_found(*watch(build, traces, command))


if __name__ == "__main__":
    main()
