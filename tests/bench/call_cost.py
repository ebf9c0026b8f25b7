#!/usr/bin/env python3
"""What tracing adds to a call, on an idle machine with a GPU and on busy ones.

    call_cost.py [BUILD [ROUNDS [CALLS [LOAD...]]]]

A process of call_cost each: untraced, under streamtrace, the same watching and paused (no window is open), under CUPTI
alone
(cupti_floor.c) and, where it is found, under Nsight Systems. In each of ROUNDS rounds (default 25) each runs loops of
CALLS calls (default 2000), in turn, the other way round in every second one; a load that has taken 40 s gets no more
than seven rounds. The thread that calls runs on one processor, another in each round: those of one machine differ by
a factor of two, and a process that is left alone stays where it began. LOAD, default all of them, which take two
minutes together:

    idle      nothing beside them
    but-one   a busy loop for each processor but one
    all       a busy loop for each processor
    pinned    each process, with the tool's threads in it, on one processor

Prints the machine, and for each load the median ns a call with the smallest and the largest of the rounds, and what
is added, the median of the rounds' differences to untraced: of streamtrace as a share of what Nsight Systems and what
CUPTI alone adds, and how far streamtrace is above CUPTI alone.
"""
import contextlib
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "frameworks"))
import cost

LOADS = ["idle", "but-one", "all", "pinned"]
KINDS = ["launch", "copy", "event-record", "stream-query"]
LOAD_S, LEAST_ROUNDS = 40, 7
VARIANTS = ["untraced", "streamtrace", "streamtrace, watching", "streamtrace, paused", "CUPTI alone", "Nsight Systems"]


def text_of(path, start=""):
    """The file's first line that begins with START."""
    with contextlib.suppress(OSError):
        for line in pathlib.Path(path).read_text().splitlines():
            if line.startswith(start):
                return line.split(":")[-1].strip()
    return "?"


def topology(processors):
    """How many cores and NUMA nodes the processors are in."""
    cores = {text_of(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list") for number in processors}
    nodes = list(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*"))
    return f"{len(processors)} processors in {len(cores)} cores and {max(1, len(nodes))} NUMA nodes"


def print_machine():
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                         text=True).stdout.splitlines()
    print(f"boot {text_of('/proc/sys/kernel/random/boot_id')[:8]}, clock "
          f"{text_of('/sys/devices/system/clocksource/clocksource0/current_clocksource')}, "
          f"{topology(os.sched_getaffinity(0))} ({text_of('/proc/cpuinfo', 'model name')}), load "
          f"{text_of('/proc/loadavg')}, {gpu[0] if gpu else 'no GPU'}", flush=True)


@contextlib.contextmanager
def busy_loops(count):
    pids = []
    try:
        for _ in range(count):
            pid = os.fork()
            if not pid:
                while True:
                    pass
            pids.append(pid)
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


@contextlib.contextmanager
def processes_of(build, calls, processor):
    """Of all variants, warmed up; processor: the only one that they and their tools use, or None."""
    command = [str(build / "bin/tests/call_cost"), str(calls), "stay"]
    pin = [] if processor is None else ["taskset", "-c", str(processor)]
    with tempfile.TemporaryDirectory() as folder:
        processes = {name: cost.Process([*pin, *command], environment)
                     for name, command, environment in cost.variants(build, folder, command) if name in VARIANTS}
        try:
            for process in processes.values():
                process.answer()
                process.run(os.sched_getaffinity(0).pop() if processor is None else processor)
            yield processes
        finally:
            for process in processes.values():
                process.stop()


def measure(processes, rounds, processors):
    times = {}
    end_s = time.monotonic() + LOAD_S
    for number in range(rounds):
        if number >= LEAST_ROUNDS and time.monotonic() > end_s:
            break
        for name in list(processes)[::-1 if number % 2 else 1]:
            for kind, ns in processes[name].run(processors[number % len(processors)]).items():
                times.setdefault((name, kind), []).append(ns)
    return times


def added(times, name, kind):
    return statistics.median(ns - base for ns, base in zip(times[name, kind], times["untraced", kind]))


def added_text(times, name, kind):
    return f"{added(times, name, kind):.0f}" if (name, kind) in times else "-"


def share_of(times, name, kind):
    """What streamtrace adds, of what the other adds."""
    if not {("streamtrace", kind), (name, kind)} <= times.keys() or added(times, name, kind) <= 0:
        return "-"
    return f"{added(times, 'streamtrace', kind) / added(times, name, kind):.2f}"


def distance_of(times, kind):
    """What streamtrace adds beyond CUPTI alone, ns."""
    if not {("streamtrace", kind), ("CUPTI alone", kind)} <= times.keys():
        return "-"
    return f"{statistics.median(a - b for a, b in zip(times['streamtrace', kind], times['CUPTI alone', kind])):+.0f}"


def cell_of(values):
    return f"{statistics.median(values):.0f} ({min(values):.0f}..{max(values):.0f})" if values else "-"


def print_table(load, names, times):
    print(f"\n| {load}, ns | " + " | ".join(KINDS) + " |\n|---|" + "---|" * len(KINDS))
    for name in names:
        print(f"| {name} | " + " | ".join(cell_of(times.get((name, kind))) for kind in KINDS) + " |")
    for name in VARIANTS[1:]:
        print(f"| added by {name} | " + " | ".join(added_text(times, name, kind) for kind in KINDS) + " |")
    for name in ["CUPTI alone", "Nsight Systems"]:
        print(f"| added, streamtrace / {name} | " + " | ".join(share_of(times, name, kind) for kind in KINDS) + " |")
    print("| streamtrace - CUPTI alone | " + " | ".join(distance_of(times, kind) for kind in KINDS) + " |", flush=True)


def main():
    build, rounds, calls, *loads = sys.argv[1:] + ["build", "25", "2000"][max(0, len(sys.argv) - 1):]
    build, rounds, calls, loads = pathlib.Path(build).resolve(), int(rounds), int(calls), loads or LOADS
    processors = sorted(os.sched_getaffinity(0))
    print_machine()
    if set(loads) - {"pinned"}:
        with processes_of(build, calls, None) as processes:
            for load in [load for load in loads if load != "pinned"]:
                count = {"idle": 0, "but-one": len(processors) - 1, "all": len(processors)}[load]
                with busy_loops(count):
                    print_table(load, processes, measure(processes, rounds, processors))
    if "pinned" in loads:
        with processes_of(build, calls, processors[-1]) as processes:
            print_table("pinned", processes, measure(processes, rounds, processors[-1:]))


if __name__ == "__main__":
    main()
