#!/usr/bin/env python3
"""What the watch mode costs a training, told within one process.

    watch_cost.py BUILD [SECONDS [TRAINING...]]

Two processes of one training differ by more than watching costs. So each TRAINING (trainings.py; default convnet and gpt2) runs once,
watched, for SECONDS (default 280), in slices of a fifth of a second, which have less time to differ by themselves than longer ones: in
every second one it is paused by streamtrace_stop(). Nothing is recorded nor looked at there; calls still pass the wrappers, for which
BUILD/bin/tests/call_cost, where it is there, measures ns a call between two processes. A slice with watching is compared with the mean
of the two paused ones beside it.

Prints a row of Markdown a training: what a step takes paused, the median of all slices; what watching adds, the median of
the ratios with the interval that has 95 of 100 medians of ratios drawn again, and their mean with its standard error, as if
no two ratios shared a paused slice; calls a step, and what their wrappers add;
steps, slow ones, calls and lost ones as the watch mode counted them; and incidents, of which none is wanted: what the report
says of each stands below.
"""
import ctypes
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SLICE_S = 0.2
WARM_UP_S = 8
DRAWN = 4000
END_S = 60  # what a training may take beyond its time
MORE = {"STREAMTRACE_WATCH_HOUR": "3600", "STREAMTRACE_WATCH_DAY": "100000000000"}
COLUMNS = ("training", "slices", "step paused, ms", "watching adds", "mean", "calls a step", "their wrappers add", "steps",
           "slow", "calls", "lost", "incidents")


def train(name, seconds):
    """Prints SLICE IS_WATCHED STEPS SECONDS, then READY, and waits for a line."""
    import trainings
    import torch
    program = ctypes.CDLL(None)
    step = getattr(trainings, name)()
    wait = torch.cuda.synchronize if trainings.HAS_GPU else lambda: None

    def run(limit_s):
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < limit_s:
            program.streamtrace_step()
            step()
            count += 1
        wait()
        return count, time.perf_counter() - start

    end = time.perf_counter() + seconds
    run(min(WARM_UP_S, seconds / 8))
    is_watched = True
    while time.perf_counter() + SLICE_S < end:
        (program.streamtrace_start if is_watched else program.streamtrace_stop)()
        count, took_s = run(SLICE_S)
        print("SLICE", int(is_watched), count, took_s, flush=True)
        is_watched = not is_watched
    program.streamtrace_start()
    run(1)
    print("READY", flush=True)
    sys.stdin.readline()
    os._exit(0)  # workers of a DataLoader are not waited for


def metrics_of(build, folder):
    """What the program's page says, by name."""
    path = folder / "metrics.prom"
    subprocess.run([build / "bin/streamtrace", "watch", "--once", f"--metrics={path}", folder], check=True, capture_output=True)
    return {name: float(value) for name, value in re.findall(r"^streamtrace_(\w+)\{.*\} (\S+)$", path.read_text(), re.M)}


def run_training(build, folder, name, seconds):
    """(slices: is watched, ms a step; metrics; headlines of incidents)"""
    command = [build / "bin/streamtrace", "run", "--watch", "-o", folder / "watched.db", "--", sys.executable,
               HERE / "watch_cost.py", "train", name, str(seconds)]
    slices = []
    with subprocess.Popen(["timeout", str(seconds + END_S), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **MORE}) as process:
        for line in process.stdout:
            if line.startswith("SLICE"):
                _, is_watched, count, took_s = line.split()
                slices.append((is_watched == "1", float(took_s) / int(count) * 1e3))
            if line.startswith("READY"):
                break
        metrics = metrics_of(build, folder) if process.poll() is None else {}
        process.communicate("\n")
    headlines = []
    for path in sorted(folder.glob("*.incident-*.db")):
        report = subprocess.run([build / "bin/streamtrace", "report", "--no-measure", path], capture_output=True, text=True)
        headlines.append(" ".join((report.stdout + report.stderr).split("\n\n")[0].split()))
    return slices, metrics, headlines


def ratios_of(slices):
    """Of each slice with watching that has a paused one on each side."""
    return [ms / statistics.mean([before, behind]) for (_, before), (is_watched, ms), (_, behind)
            in zip(slices, slices[1:], slices[2:]) if is_watched]


def interval_of(values):
    draw = random.Random(1)
    medians = sorted(statistics.median(draw.choices(values, k=len(values))) for _ in range(DRAWN))
    return medians[DRAWN // 40], medians[-DRAWN // 40]


def wrapper_ns(build):
    """What a paused wrapper adds to a launch; None: not measured."""
    if not (build / "bin/tests/call_cost").exists():
        return None
    sys.path.insert(0, str(HERE.parent))
    import call_cost
    call_cost.VARIANTS = ["untraced", "streamtrace, paused"]
    with call_cost.processes_of(build, 2000, None) as processes:
        times = call_cost.measure(processes, 15, sorted(os.sched_getaffinity(0)))
    return call_cost.added(times, "streamtrace, paused", "launch") if times else None


def row_of(name, slices, metrics, headlines, paused_ns):
    ratios = ratios_of(slices)
    paused = [ms for is_watched, ms in slices if not is_watched]
    if len(ratios) < 2 or not metrics:
        return [name, "FAILED: the training ended early"]
    low, high = interval_of(ratios)
    calls = metrics["calls_total"] / max(1, metrics["steps_total"])
    wrappers = "-" if paused_ns is None else \
        f"{paused_ns * calls / 1e6 / statistics.median(paused):+.2%} ({paused_ns:.0f} ns each)"
    return [name, len(slices), f"{statistics.median(paused):.2f} ({min(paused):.2f}..{max(paused):.2f})",
            f"{statistics.median(ratios) - 1:+.2%} ({low - 1:+.2%}..{high - 1:+.2%})",
            f"{statistics.mean(ratios) - 1:+.2%} ({statistics.stdev(ratios) / len(ratios) ** 0.5:.2%})", f"{calls:.0f}", wrappers,
            *(f"{metrics[key]:,.0f}" for key in ("steps_total", "slow_steps_total", "calls_total", "lost_calls_total")),
            len(headlines)]


def main():
    if sys.argv[1] == "train":
        return train(sys.argv[2], float(sys.argv[3]))
    build, seconds = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2]) if len(sys.argv) > 2 else 280
    paused_ns, incidents = wrapper_ns(build), []
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
    for name in sys.argv[3:] or ["convnet", "gpt2"]:
        with tempfile.TemporaryDirectory() as folder:
            slices, metrics, headlines = run_training(build, pathlib.Path(folder), name, seconds)
        print("|", " | ".join(map(str, row_of(name, slices, metrics, headlines, paused_ns))), "|", flush=True)
        print(f"{name}: slices, ms a step:", *(f"{'+' if on else '-'}{ms:.3f}" for on, ms in slices), file=sys.stderr, flush=True)
        incidents += [f"{name}: {headline}" for headline in headlines]
    print(*incidents, sep="\n")


if __name__ == "__main__":
    main()
