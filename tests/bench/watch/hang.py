#!/usr/bin/env python3
"""A PyTorch program that is blocked in a call: what the watch mode's incident says.

    hang.py BUILD

Three programs at once, each blocked for 20 s by a kernel: under `streamtrace run --watch` in .item(), after steps that are told; with
LD_PRELOAD alone in synchronize(), where CUDA is first used 3 s after the start; and the same where a thread of its own waits,
which the main thread joins. A call hangs after 3 s. Prints of each the report's first sentence and the first lines of the stack, when
the file was complete, and how the program ended.
"""
import contextlib
import ctypes
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
CYCLES = 36_000_000_000  # 20 s
LATE_S = 3
LIMIT_S = 50
HANG = {"STREAMTRACE_WATCH_HANG_MS": "3000", "STREAMTRACE_WATCH_SLOW": "100000"}  # no slow step comes first
FRAMES = 3


def train():
    """Some steps; returns a tensor that a kernel of 20 s precedes."""
    import torch
    step = getattr(ctypes.CDLL(None), "streamtrace_step", lambda: None)
    weights = torch.ones(256, 256, device="cuda")
    for _ in range(50):
        step()
        weights = (weights @ weights).clamp(0, 1)
        weights.sum().item()
    torch.cuda._sleep(CYCLES)
    return weights


def wait_for_item():
    loss = train().sum()
    loss.item()  # the line that hangs


def wait_late():
    import torch
    time.sleep(LATE_S)
    train()
    torch.cuda.synchronize()  # the line that hangs


def wait_in_a_thread():
    thread = threading.Thread(target=wait_late)
    thread.start()
    thread.join()


CASES = {"item": wait_for_item, "late": wait_late, "thread": wait_in_a_thread}


def is_complete(path):
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return file.execute("SELECT value FROM metadata WHERE key = 'end'").fetchone() == ("incident",)
    return False


def report_of(build, path):
    report = subprocess.run([build / "bin/streamtrace", "report", "--no-measure", path], capture_output=True, text=True)
    headline, _, stack = " ".join((report.stdout + report.stderr).split("\n\n")[0].split()).partition(" Since ")
    return " - ".join([headline, *stack.split(" - ")[1:1 + FRAMES]])


def main():
    if sys.argv[1] == "hang":
        CASES[sys.argv[2]]()
        print("went on", flush=True)
        return
    build, start = pathlib.Path(sys.argv[1]).resolve(), time.monotonic()
    preload = {"LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_MODE": "watch", "STREAMTRACE_QUIET": "1"}
    programs, complete_s = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name in CASES:
            command, environment, output = [sys.executable, HERE / "hang.py", "hang", name], {**os.environ, **HANG}, f"{folder}/{name}"
            if name == "item":
                command = [build / "bin/streamtrace", "run", "--watch", "-o", f"{output}.db", "--", *command]
            else:
                environment |= {**preload, "STREAMTRACE_OUTPUT": f"{output}.db"}
            programs[name] = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while time.monotonic() - start < LIMIT_S and any(program.poll() is None for program in programs.values()):
            for name in CASES:
                if name not in complete_s and is_complete(f"{folder}/{name}.incident-1.db"):
                    complete_s[name] = time.monotonic() - start
            time.sleep(0.2)
        print("| program | the file was complete after, s | it ended | report |\n|---|---|---|---|")
        for name, program in programs.items():
            if program.poll() is None:
                program.kill()
            output, _ = program.communicate()
            ended = f"{program.returncode}, {output.strip() or 'no word'}"
            print(f"| {name} | {complete_s.get(name, float('nan')):.1f} | {ended} | "
                  f"{report_of(build, f'{folder}/{name}.incident-1.db')} |", flush=True)


if __name__ == "__main__":
    main()
