#!/usr/bin/env python3
"""What tracing adds to two PyTorch loops: 10,800 tiny kernels, and a fine-tuning of 32,000 launches.

    cost.py BUILD [ROUNDS [VARIANT...]]

In each of ROUNDS rounds (default 5) a process each, of all variants or of those named: untraced, under streamtrace,
the same without looks at the host and paused, under CUPTI alone (cupti_floor.c) and, where it is found, under Nsight
Systems without and with its CPU samples. A process runs each loop twice unmeasured and
three times; its time is their median. Prints Markdown: the median of the rounds with the smallest and the
largest, in ms.
"""
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CASES = ["tiny_kernels", "fine_tuning"]


def loops():
    sys.path.insert(0, str(HERE))
    import torch
    import torch_pairs
    for name in CASES:
        loop = getattr(torch_pairs, name)(False)
        seconds = []
        for repeat in range(5):
            start = time.perf_counter()
            loop()
            torch.cuda.synchronize()
            seconds.append(time.perf_counter() - start)
        print("LOOP", name, statistics.median(seconds[2:]) * 1e3, flush=True)


def find_nsys():
    found = shutil.which("nsys")
    if not found:
        paths = subprocess.run(["find", "/", "-name", "nsys", "-path", "*target-linux-x64*", "-not", "-path", "/proc/*"],
                               capture_output=True, text=True).stdout.split()
        found = paths[0] if paths else None
    return found


def variants(build, folder):
    tracer = {"LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_OUTPUT": f"{folder}/%p.db",
              "STREAMTRACE_QUIET": "1"}
    command = [sys.executable, str(HERE / "cost.py"), "loops"]
    yield "untraced", command, {}
    yield "streamtrace", command, tracer
    yield "streamtrace, no looks", command, {**tracer, "STREAMTRACE_HOST": "0"}
    yield "streamtrace, paused", command, {**tracer, "STREAMTRACE_START": "paused"}
    yield "CUPTI alone", command, {"LD_PRELOAD": str(build / "lib/libcupti_floor.so")}
    nsys = find_nsys()
    for name, samples in [("Nsight Systems", ["-s", "none", "--cpuctxsw=none"]),
                          ("Nsight Systems, samples", ["-s", "process-tree"])] if nsys else []:
        yield name, [nsys, "profile", "-t", "cuda", *samples, "-f", "true", "-o", f"{folder}/profile", *command], {}


def run(command, environment):
    """The loops' ms, by name. What a profiler does after the last loop is not waited for."""
    times = {}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                               env={**os.environ, **environment}, start_new_session=True)
    for line in process.stdout:
        if line.startswith("LOOP "):
            times[line.split()[1]] = float(line.split()[2])
        if len(times) == len(CASES):
            break
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return times


def main():
    if sys.argv[1] == "loops":
        return loops()
    build, rounds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    chosen = sys.argv[3:]
    times = {}
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, command, environment in variants(build, folder):
                if chosen and name not in chosen:
                    continue
                for case, ms in run(command, environment).items():
                    times.setdefault((name, case), []).append(ms)
                print(f"round {number + 1}: {name}", file=sys.stderr, flush=True)
    print("| | " + " | ".join(CASES) + " |\n|---|" + "---|" * len(CASES))
    for name in dict.fromkeys(key[0] for key in times):
        values = [times[name, case] for case in CASES]
        print(f"| {name} | " + " | ".join(f"{statistics.median(v):.0f} ({min(v):.0f}..{max(v):.0f})" for v in values)
              + " |", flush=True)


if __name__ == "__main__":
    main()
