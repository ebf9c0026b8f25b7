#!/usr/bin/env python3
"""What tracing adds to PyTorch loops: 10,800 tiny kernels, a fine-tuning of 32,000 launches, and two whose host works
in Python and touches new memory between a few launches.

    cost.py BUILD [ROUNDS [VARIANT...]]

A process each, of all variants or of those named: untraced, under streamtrace, the same without looks at the host,
watching and paused, under CUPTI alone (cupti_floor.c) and, where it is found, under Nsight Systems without and with its CPU
samples. Each runs each loop twice unmeasured; then, in each of ROUNDS rounds (default 8), all run each loop once, in
turn, the other way round in every second one. A process's main thread runs on one processor, another in each round
(call_cost.py says why). Prints Markdown: the median of the rounds with the smallest and the largest, in ms, and by how much the median
of the rounds' ratios to untraced is above 1. With BUDGET in the environment rounds end after so many seconds.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
CASES = {"tiny_kernels": "torch_pairs", "fine_tuning": "torch_pairs", "tokenizing": "host_torch",
         "voxel_grids": "host_torch"}
WARM_UPS = 2
LIMIT_S = 120  # of an answer: Nsight Systems starts slowly


def loops():
    sys.path.insert(0, str(HERE))
    import importlib
    import torch
    loops = {name: getattr(importlib.import_module(module), name)(False) for name, module in CASES.items()}
    for loop in list(loops.values()) * WARM_UPS:
        loop()
    print("READY", flush=True)
    for line in sys.stdin:
        os.sched_setaffinity(0, {int(line)})
        for name, loop in loops.items():
            start = time.perf_counter()
            loop()
            torch.cuda.synchronize()
            print("LOOP", name, (time.perf_counter() - start) * 1e3, flush=True)
        print("READY", flush=True)


def find_nsys():
    found = shutil.which("nsys")
    if not found:
        paths = subprocess.run(["find", "/", "-name", "nsys", "-path", "*target-linux-x64*", "-not", "-path", "/proc/*"],
                               capture_output=True, text=True).stdout.split()
        found = paths[0] if paths else None
    return found


def variants(build, folder, command):
    """(name, command, what the environment has more) of each way to run the command."""
    tracer = {"LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_OUTPUT": f"{folder}/%p.db",
              "STREAMTRACE_QUIET": "1"}
    yield "untraced", command, {}
    yield "streamtrace", command, tracer
    yield "streamtrace, no looks", command, {**tracer, "STREAMTRACE_HOST": "0"}
    yield "streamtrace, watching", command, {**tracer, "STREAMTRACE_MODE": "watch"}
    yield "streamtrace, paused", command, {**tracer, "STREAMTRACE_START": "paused"}
    yield "CUPTI alone", command, {"LD_PRELOAD": str(build / "lib/libcupti_floor.so")}
    nsys = find_nsys()
    for name, samples in [("Nsight Systems", ["-s", "none", "--cpuctxsw=none"]),
                          ("Nsight Systems, samples", ["-s", "process-tree"])] if nsys else []:
        yield name, [nsys, "profile", "-t", "cuda", *samples, "-f", "true", "-o", f"{folder}/profile", *command], {}


class Process:
    """A variant's process, which prints READY, and for each line that it reads, the number of a processor, lines LOOP NAME
    TIME and READY. It has no answers any more where it fails."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment},
                                        start_new_session=True)

    def stop(self):
        """What a profiler does after the last loop is not waited for."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def answer(self):
        """The loops' times, by name."""
        timer = threading.Timer(LIMIT_S, self.stop)
        timer.start()
        times = {}
        for line in self.process.stdout:
            if line.startswith("READY"):
                break
            if line.startswith("LOOP "):
                times[line.split()[1]] = float(line.split()[2])
        timer.cancel()
        return times

    def run(self, processor):
        with contextlib.suppress(BrokenPipeError):
            print(processor, file=self.process.stdin, flush=True)
        return self.answer()


def cell_of(times, name, case):
    values, base = times.get((name, case)), times.get(("untraced", case))
    if not values:
        return "-"
    text = f"{statistics.median(values):.0f} ({min(values):.0f}..{max(values):.0f})"
    if not base or name == "untraced":
        return text
    more = statistics.median(value / other for value, other in zip(values, base)) - 1
    return f"{text} {more:+.1%}"


def main():
    if sys.argv[1] == "loops":
        return loops()
    build, rounds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 8
    processors = sorted(os.sched_getaffinity(0))
    chosen, times = sys.argv[3:], {}
    end_s = time.monotonic() + float(os.environ.get("BUDGET", "inf"))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(HERE / "cost.py"), "loops"]
        processes = {name: Process(command, environment)
                     for name, command, environment in variants(build, folder, command)
                     if not chosen or name in chosen}
        for process in processes.values():
            process.answer()
        for number in range(rounds):
            for name in list(processes)[::-1 if number % 2 else 1]:
                for case, ms in processes[name].run(processors[number % len(processors)]).items():
                    times.setdefault((name, case), []).append(ms)
            print(f"round {number + 1}", file=sys.stderr, flush=True)
            if time.monotonic() > end_s:
                break
        for process in processes.values():
            process.stop()
    print("| | " + " | ".join(CASES) + " |\n|---|" + "---|" * len(CASES))
    for name in processes:
        print(f"| {name} | " + " | ".join(cell_of(times, name, case) for case in CASES) + " |", flush=True)


if __name__ == "__main__":
    main()
