#!/usr/bin/env python3
"""Whether reports name what the host lets the GPU wait for, and its line, and how well they predict the repair.

    host_score.py BUILD BUDGET_S [ROUNDS [NAME...]]

NAME is a file of host_torch, host_jax, host_cupy and host_programs, which are the C++ programs host_*.cu, or one of
their loops; without a NAME all. Each loop and its twin run untraced in turn, ROUNDS times (default 3), and then the
loop once under the tracer. Rounds end early where BUDGET_S seconds would not do for all loops; the reports come
after it. Prints Markdown. The verdict is score.py's. The prediction is that of all findings with the cause that the
loop was written for; without one, of the findings with the first finding's id. KEEP is score.py's.
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import score

FILES = ["host_torch", "host_jax", "host_cupy"]
PROGRAMS = "host_programs"
LIMIT_S = 60
PROGRAM_PAIRS = {
    "host_producer": {"cause": ["loader-empty"], "line": ["= next_batch(&queue)", "queue->added.wait("]},
    "host_openmp": {"cause": ["host-work"],
                    "line": ["evaluate(gpu->pinned", "#pragma omp parallel for", "words[i] = model(", "sum += exp("]},
    "host_lock": {"cause": ["lock-held"], "line": ["note_latency(&history,", "noting(history->lock)"]},
    "host_pages": {"cause": ["page-faults"], "line": ["fill_batch(gpu->pinned", "std::vector<float> image(PIXELS)"]},
}
PROGRAM_QUIET = ["host_ahead"]


class Programs:
    """The C++ programs, built in a folder; ask() and trace_in() answer as loops.py does."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder

    def start(self):
        compiler = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
        library = pathlib.Path(compiler).resolve().parent.parent / "lib64"
        cases = {**PROGRAM_PAIRS, **{name: None for name in PROGRAM_QUIET}}
        self.folder.mkdir(exist_ok=True)
        command = [compiler, "-g", "-lineinfo", "-O2", "-cudart", "shared", "-Xcompiler=-fopenmp",
                   f"-Xlinker=-rpath={library}", "-I", score.HERE.parents[2], "-o"]
        building = [subprocess.Popen([*command, self.folder / name, score.HERE / f"{name}.cu"]) for name in cases]
        return cases if not any([process.wait() for process in building]) else {}

    def stop(self):
        pass

    def run(self, command):
        result = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=True,
                                env={**os.environ, "STREAMTRACE_START": "paused"})
        return float(result.stdout.split("time ")[1].split()[0])

    def round(self, case, is_quiet):
        seconds = {"before_s": self.run([self.folder / case])}
        return seconds if is_quiet else {**seconds, "after_s": self.run([self.folder / case, "--fixed"])}

    def trace(self, case):
        path = self.folder / f"{case}.0.db"
        return {"traced_s": self.run([self.build / "bin/streamtrace", "run", "-o", path, "--", self.folder / case]),
                "path": path}

    def measure(self, case, is_quiet, rounds, end_s):
        try:
            times = [self.round(case, is_quiet)]
            while len(times) < rounds and time.monotonic() < end_s:
                times.append(self.round(case, is_quiet))
            return times, self.trace(case)
        except (subprocess.SubprocessError, IndexError) as failure:
            return [], {"error": f"{failure} {getattr(failure, 'stderr', None) or ''}"[-200:]}


class Frameworks:
    """The loops of a file, through two processes of loops.py."""

    def __init__(self, build, name, log, folder):
        self.servers, self.folder = score.servers_of(build, name, log, folder), folder / name

    def start(self):
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            return list(threads.map(lambda server: server.start(), self.servers))[0]

    def stop(self):
        for server in self.servers:
            server.stop()

    def measure(self, case, is_quiet, rounds, end_s):
        untraced, traced = self.servers
        ready, times = untraced.ask(f"time {case}"), []
        if "error" in ready:
            return times, ready
        while not times or (len(times) < rounds and time.monotonic() < end_s):
            times.append(untraced.ask("again"))
            if "error" in times[-1]:
                return [], times[-1]
        print("end", file=untraced.process.stdin, flush=True)
        untraced.answer()
        return times, score.trace(traced, case, 0, self.folder)


def measure_all(build, budget_s, rounds, names, folder):
    """(name, what is expected, rows untraced, row traced) of each loop that the names want."""
    deadline_s, results = time.monotonic() + budget_s, []
    with open(folder / "loops.log", "w") as log:
        groups = {name: Frameworks(build, name, log, folder) for name in FILES}
        groups[PROGRAMS] = Programs(build, folder / PROGRAMS)
        files = {name for name in names if name in groups}
        if len(files) == len(names) and files:
            groups = {name: group for name, group in groups.items() if name in files}
        with concurrent.futures.ThreadPoolExecutor(len(groups)) as threads:
            found = dict(zip(groups, threads.map(lambda group: group.start(), groups.values())))
        cases = [(name, case, expected) for name in groups
                 for case, expected in (found[name] or {"does not start": None}).items()
                 if not names or not found[name] or name in names or case in names]
        for left, (name, case, expected) in zip(range(len(cases), 0, -1), cases):
            now_s = time.monotonic()
            times, traced = [], {"error": "no time left" if found[name] else "does not start"}
            if found[name] and now_s < deadline_s:
                end_s = now_s + (deadline_s - now_s) / left
                times, traced = groups[name].measure(case, expected is None, rounds, end_s)
            results.append((f"{name} {case}", expected, times, traced))
            print(f"{name} {case}: {len(times)} rounds, {time.monotonic() - now_s:.1f} s", file=sys.stderr, flush=True)
        for group in groups.values():
            group.stop()
    return results


def analysed(build, path, expected):
    """A trace's report, and what it predicts: see above."""
    report = score.streamtrace(build, "report", "--format", "json", "--all", path)
    ids = [finding["id"] for finding in report["findings"]]
    fixes = expected and ([cause for cause in expected["cause"] if cause in ids] or ids[:1])
    return report, score.predicted(build, path, fixes, report)


def site_of(finding):
    site = finding["site"] or {}
    return f"{pathlib.Path(site.get('file') or '-').name}:{site.get('line') or '-'}", score.text_of(site)


def row_of(expected, times, report, saving):
    """The cells of a loop's line; whether the cause, the line and the prediction are right (None: within the
    noise)."""
    before_ns = [row["before_s"] * 1e9 for row in times]
    after_ns = [row["after_s"] * 1e9 for row in times if "after_s" in row]
    first = report["findings"][0] if report["findings"] else None
    place, text = site_of(first) if first else ("-", "")
    shown = [first["id"] if first else "-", place, f"{saving['estimate'] / 1e6:.1f}"]
    if expected is None:
        is_good = saving["estimate"] <= score.QUIET_MOST * report["headline"]["wall_ns"]
        return [score.with_range(before_ns), "-", "-", "none", *shown,
                score.range_of(saving["low"], saving["high"])[0], "-", "-", "-", "yes" if is_good else "no"], is_good
    saved = score.median(before_ns) - score.median(after_ns)
    interval, ratio, is_good = score.verdict(saved, saving["low"], saving["estimate"], saving["high"])
    is_noise = any(after >= before for before, after in zip(before_ns, after_ns))
    is_cause = bool(first) and first["id"] in expected["cause"]
    is_line = any(part in text for part in expected["line"])
    cells = [score.with_range(before_ns), score.with_range(after_ns), f"{saved / 1e6:.1f}",
             " or ".join(expected["cause"]), *shown, interval, f"{ratio:.2f}", "yes" if is_cause else "no",
             "yes" if is_line else "no", "noise" if is_noise else "yes" if is_good else "no"]
    return cells, (is_cause, is_line, None if is_noise else is_good)


def print_table(build, results):
    head = ["case", "broken, ms", "fixed, ms", "saved, ms", "cause expected", "first finding", "its line",
            "predicted, ms", "range, ms", "predicted / saved", "cause right", "line right", "good"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)
    pairs, quiet = [], []
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as threads:
        analyses = [None if "error" in traced else threads.submit(analysed, build, traced["path"], expected)
                    for _, expected, _, traced in results]
    for (name, expected, times, traced), analysis in zip(results, analyses):
        try:
            cells, marks = row_of(expected, times, *analysis.result()) if analysis else ([traced["error"]], None)
        except Exception as failure:  # the other loops' rows come
            cells, marks = [f"{type(failure).__name__}: {failure}"[:200]], None
        (quiet if expected is None else pairs).append(marks)
        print("| " + " | ".join([name, *cells]) + " |", flush=True)
    right = [sum(bool(marks and marks[i]) for marks in pairs) for i in range(3)]
    noise = sum(marks is not None and marks[2] is None for marks in pairs)
    print(f"\nOf {len(pairs)} pairs: cause right {right[0]}, line right {right[1]}, good {right[2]}, within the noise "
          f"{noise}. Quiet: {sum(bool(marks) for marks in quiet)} of {len(quiet)}.", flush=True)


def main():
    build, budget_s = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.environ.get("KEEP", folder)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        results = measure_all(build, budget_s, rounds, sys.argv[4:], folder)
        (folder / "times.json").write_text(json.dumps(results, default=str))
        print_table(build, results)


if __name__ == "__main__":
    main()
