#!/usr/bin/env python3
"""CUPTI goes on and off in a training, again and again: what is lost, what grows, and what of another user of CUPTI.

    on_and_off.py BUILD [TIMES [STEPS [SECONDS]]]

A training in PyTorch makes TIMES (default 100) incidents by the trigger's file, each as soon as the one before is written, which
takes between one and two seconds; fewer, when SECONDS (default 200) have passed. Then torch.profiler, which keeps CUPTI once it has
used it, records three steps. Ten more incidents follow: it records again while the fifth is made, and after the last. A second process
trains for STEPS (default 8000) untraced beside it.

Prints whether the losses of all steps that both made are the same bit by bit; how many incidents are written, and how many of those
have operations of the device, before the profiler's first use and since, and what the last one says of CUPTI; how many kernels a step
the profiler has seen each time; and memory and descriptors after the fifth incident, around the profiler's uses, and at the end: what
grows between two uses is the library's.
"""
import contextlib
import ctypes
import os
import pathlib
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PAUSE_S = 0.015  # in each watched step: an incident takes a second, whatever is done meanwhile
PROFILED = 3
BEHIND = 10  # incidents after the profiler's first use
WAIT_S = 20  # for an incident
LIMIT_S = 150  # beyond SECONDS: imports, the ten incidents behind, the end
STATE_AT, INCIDENTS_AT = struct.calcsize("<2IQi"), struct.calcsize("<2IQiIQ64s64s16s2q4Qq2I2QQ2q2q96Q")  # facts/watch_page.h
WATCHING = 0
MORE = {"STREAMTRACE_WATCH_HOUR": "3600", "STREAMTRACE_WATCH_DAY": "100000000000", "STREAMTRACE_WATCH_STEPS": "2",
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8"}


class Training:
    def __init__(self):
        import trainings
        self.step = trainings.exact()
        self.mark = getattr(ctypes.CDLL(None), "streamtrace_step", lambda: None)

    def go(self, pause_s=0):
        self.mark()
        print("LOSS", struct.pack("<d", self.step()).hex(), flush=False)
        time.sleep(pause_s)


def profiled(training, name, go_on=None):
    """Prints how many kernels a step torch.profiler sees; while go_on() is true, or PROFILED steps."""
    import torch
    from torch.profiler import ProfilerActivity, profile
    count = 0
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] if torch.cuda.is_available() else None) as result:
        while go_on() if go_on else count < PROFILED:
            training.go()
            count += 1
        if torch.cuda.is_available():
            torch.cuda.synchronize()
    kernels = sum("CUDA" in str(event.device_type) for event in result.events())
    print("PROFILED", name, f"{kernels / max(1, count):.1f}", count, flush=True)


def print_sizes(name):
    kb = int(next(line for line in open("/proc/self/status") if line.startswith("VmRSS")).split()[1])
    print("SIZES", name, kb, len(os.listdir("/proc/self/fd")), flush=True)


def has_written(folder, number):
    """As the page says: another SQLite that opens the incident's file in this process would end the library's lock."""
    page = (folder / "watched.watch").read_bytes()
    return struct.unpack_from("<Q", page, INCIDENTS_AT)[0] >= number and struct.unpack_from("<I", page, STATE_AT)[0] == WATCHING


def is_written(path):
    """False while the file is not there, or being written."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return file.execute("SELECT value FROM metadata WHERE key = 'end'").fetchone() == ("incident",)
    return False


def train_watched(folder, times, seconds):
    training = Training()

    def is_open(number):
        end = time.monotonic() + WAIT_S
        return lambda: not has_written(folder, number) and time.monotonic() < end

    def make_incident(number):
        (folder / "watched.trigger").touch()
        go_on = is_open(number)
        if number == made + BEHIND // 2:
            profiled(training, "in-an-incident", go_on)
            print_sizes("after-the-profiler-in-an-incident")
        while go_on():
            training.go(PAUSE_S)

    end, made = time.monotonic() + seconds, 0
    for _ in range(60):
        training.go(PAUSE_S)
    while made < times and time.monotonic() < end:
        made += 1
        make_incident(made)
        if made == 5:
            print_sizes("fifth")
    print("MADE", made, flush=True)
    print_sizes("before-the-profiler")
    profiled(training, "first")
    print_sizes("after-the-profiler")
    for number in range(made + 1, made + BEHIND + 1):
        make_incident(number)
    print_sizes("end")
    profiled(training, "last")
    sys.stdout.flush()
    os._exit(0)


def train_untraced(steps):
    training = Training()
    for _ in range(steps):
        training.go()


def lines_of(output, word):
    return [line.split()[1:] for line in output.splitlines() if line.startswith(word)]


def operations_of(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return sum(file.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("operations", "operation_blocks"))


def cupti_of(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        return (file.execute("SELECT value FROM metadata WHERE key = 'cupti'").fetchone() or ("-",))[0]


def main():
    if sys.argv[1] == "train-watched":
        return train_watched(pathlib.Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
    if sys.argv[1] == "train-untraced":
        return train_untraced(int(sys.argv[2]))
    build = pathlib.Path(sys.argv[1]).resolve()
    times, steps, seconds = map(int, sys.argv[2:] + ["100", "8000", "200"][len(sys.argv) - 2:])
    environment, start = {**os.environ, **MORE}, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        itself, folder = [sys.executable, HERE / "on_and_off.py"], pathlib.Path(folder)
        with subprocess.Popen([*itself, "train-untraced", str(steps)], stdout=subprocess.PIPE, text=True, env=environment) as other:
            command = [build / "bin/streamtrace", "run", "--watch", "-o", folder / "watched.db", "--", *itself, "train-watched",
                       folder, str(times), str(seconds)]
            watched = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
                                     timeout=seconds + LIMIT_S)
            untraced, _ = other.communicate(timeout=seconds + LIMIT_S)
        made = int((lines_of(watched.stdout, "MADE") or [["0"]])[0][0])
        losses = [lines_of(output, "LOSS") for output in (watched.stdout, untraced)]
        pairs = list(zip(*losses))
        written = [is_written(path) and operations_of(path) > 0 for path in
                   (folder / f"watched.incident-{number}.db" for number in range(1, made + BEHIND + 1)) if path.exists()]
        cupti = [cupti_of(folder / f"watched.incident-{number}.db") if written else "-" for number in (1, len(written))]
    print("| what | |\n|---|---|")
    print(f"| exit status, seconds | {watched.returncode}, {time.monotonic() - start:.0f} |")
    print(f"| losses compared, different | {len(pairs)} of {len(losses[0])}, {sum(a != b for a, b in pairs)} |")
    print(f"| incidents asked for, written | {made} + {BEHIND}, {len(written)} |")
    print(f"| with operations, before the profiler, behind it | {sum(written[:made])}, {sum(written[made:])} |")
    print(f"| CUPTI in the first incident, in the last | {cupti[0]}, {cupti[1]} |")
    for name, kernels, count in lines_of(watched.stdout, "PROFILED"):
        print(f"| torch.profiler, {name} | {kernels} kernels a step, {count} steps |")
    for name, kb, files in lines_of(watched.stdout, "SIZES"):
        print(f"| memory, descriptors, {name} | {int(kb) / 1024:.1f} MB, {files} |")


if __name__ == "__main__":
    main()
