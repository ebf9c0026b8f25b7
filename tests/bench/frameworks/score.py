#!/usr/bin/env python3
"""Compares what reports predict of framework loops with what the repaired twins take untraced.

    score.py BUILD [ROUNDS [NAME...]]

NAME is a framework (torch, cupy, jax) or one of their loops; without a NAME all.

In each of ROUNDS rounds (default 5) a loop and its twin run untraced three times in turn, in a process that stays
for all rounds, and then the loop runs in a new process under LD_PRELOAD, recorded in a window (loops.py). Never do two run at a time.
Rounds end early where BUDGET (in the environment, seconds, default 360) would not do for all loops; the reports
come after it, some seconds a trace over all cores. Saved is the difference of the medians over the rounds.
Predicted is what `streamtrace whatif` says of the twin's fixes, of a quiet loop the report's "lost overlap";
untraced, what the report says that the loop takes without the tracer: medians, too. Prints Markdown, in
parentheses the smallest and the largest of the rounds; a loop that cannot run here is a row that says so.

Good is a prediction within 0.67 to 1.5 of what is saved, or a range that holds what is saved and whose high end
is at most three times its low end; of a quiet loop, one of at most 0.3 % of its time. Where the twin was not
faster in each round, the saving is within the noise, and the pair counts for nothing. KEEP=FOLDER in the
environment keeps the traces and the times there.
"""
import concurrent.futures
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
FRAMEWORKS = ["torch", "cupy", "jax"]
ANSWER_S = 120  # longer than loops.LIMIT_S, and than an import takes
GOOD_LOW, GOOD_HIGH = 0.67, 1.5
INFORMS = 3  # high / low of a range
UNTRACED = 3  # times that a round runs both untraced: much quicker than one traced process
QUIET_MOST = 0.003


class Loops:
    """A process of loops.py, which is started again if it ended."""

    def __init__(self, framework, log, environment=None):
        self.command = [sys.executable, HERE / "loops.py", framework]
        self.log, self.environment, self.process = log, {**os.environ, **(environment or {})}, None

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
                                        text=True, env=self.environment, start_new_session=True)
        return self.answer().get("cases", {})

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def answer(self):
        """The next line with an object."""
        timer = threading.Timer(ANSWER_S, self.stop)
        timer.start()
        line = next((line for line in iter(self.process.stdout.readline, "") if line.startswith("{")), None)
        timer.cancel()
        return json.loads(line) if line else {"error": "loops.py ended", "done": None}

    def ask(self, request):
        """The answer; if that is an error, the process of the request has ended then."""
        if self.process.poll() is not None:
            self.start()
        try:
            print(request, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            return {"error": "loops.py ended"}
        answer = self.answer()
        if "done" in answer:
            return {"error": answer.get("error", f"ended with {answer['done']}")}
        if "error" in answer:
            self.answer()
        return answer


def trace(loops, case, number, folder):
    """The row of `trace CASE`, with the path of its trace."""
    row = loops.ask(f"trace {case}")
    if "error" not in row:
        loops.answer()
        row["path"] = folder / f"{case}.{number}.db"
        try:
            (folder / f"{row['pid']}.db").rename(row["path"])
        except OSError as error:
            return {"error": f"no trace: {error}"}
    return row


def measure(untraced, traced, case, rounds, end_s, folder):
    """The rows of all rounds, untraced and traced; a row with an error is the last."""
    times, rows = [untraced.ask(f"time {case}")], []
    if "error" in times[0]:
        return times, rows
    del times[0]
    for number in range(rounds):
        if number and time.monotonic() > end_s:
            break
        for _ in range(UNTRACED):
            times.append(untraced.ask("again"))
            if "error" in times[-1]:
                return times, rows
        rows.append(trace(traced, case, number, folder))
        if "error" in rows[-1]:
            break
    print("end", file=untraced.process.stdin, flush=True)
    untraced.answer()
    return times, rows


def streamtrace(build, *arguments):
    result = subprocess.run([build / "bin/streamtrace", *arguments], capture_output=True, text=True, timeout=120,
                            check=True)
    return json.loads(result.stdout)


def text_of(site):
    path = HERE / pathlib.Path(site.get("file") or "").name
    return path.read_text().splitlines()[site["line"] - 1] if site.get("line") and path.is_file() else ""


def is_fixed(finding, fixes):
    """Whether the twin has this finding's fix: its id, or "ID: TEXT" with a text of one of its lines."""
    if finding["id"] in fixes:
        return True
    return any(text and fix.startswith(finding["id"] + ": ") and fix.split(": ", 1)[1] in text
               for text in (text_of(line["site"]) for line in finding["sites"]) for fix in fixes)


def predicted(build, path, fixes, report):
    """What the fixes of the twin save, as far as the report has them."""
    if fixes is None:
        return report["headline"]["lost_overlap_ns"]
    numbers = [str(number) for number, finding in enumerate(report["findings"], 1) if is_fixed(finding, fixes)]
    if not numbers:
        return {"low": 0, "estimate": 0, "high": 0}
    return streamtrace(build, "whatif", "--format", "json", "--apply", ",".join(numbers), path)["saved_ns"]


def analysed(build, path, fixes):
    """A trace's report and what it predicts."""
    report = streamtrace(build, "report", "--format", "json", "--all", path)
    return report, predicted(build, path, fixes, report)


def median(values):
    return statistics.median(list(values))


def with_range(values, scale=1e-6):
    values = [value * scale for value in values]
    return f"{median(values):.1f} ({min(values):.1f}..{max(values):.1f})"


def range_of(low, high):
    """As printed, and whether it informs."""
    width = f"x{high / low:.1f}" if low > 0 else "x-"
    return f"{low / 1e6:.1f}..{high / 1e6:.1f} ({width})", 0 < low and high <= INFORMS * low


def verdict(saved, low, estimate, high):
    """The range as printed, predicted / saved, and whether the prediction is good."""
    ratio = estimate / saved if saved > 0 else 0
    interval, informs = range_of(low, high)
    return interval, ratio, GOOD_LOW <= ratio <= GOOD_HIGH or (informs and low <= saved <= high)


def row_of(times, analyses, is_quiet):
    """The cells of one loop's line, |predicted / saved - 1| (None where nothing is saved), and whether it is
    good; None: within the noise."""
    before_ns = [row["before_s"] * 1e9 for row in times]
    after_ns = [row.get("after_s", row["before_s"]) * 1e9 for row in times]
    reports, savings = zip(*analyses)
    low, estimate, high = (median(saving[end] for saving in savings) for end in ("low", "estimate", "high"))
    walls = [report["headline"]["wall_ns"] for report in reports]
    without = [report["headline"].get("untraced_ns") or wall for report, wall in zip(reports, walls)]
    saved = median(before_ns) - median(after_ns)
    interval, ratio, is_good = verdict(saved, low, estimate, high)
    is_noise = not is_quiet and any(after >= before for before, after in zip(before_ns, after_ns))
    if is_quiet:
        is_good = estimate <= QUIET_MOST * median(walls)
    first = reports[0]["findings"][:1]
    cells = [str(len(analyses)), with_range(before_ns), "-" if is_quiet else with_range(after_ns),
             f"{saved / 1e6:.1f}", with_range([saving["estimate"] for saving in savings]), interval,
             "-" if is_quiet else f"{ratio:.2f}", "noise" if is_noise else "yes" if is_good else "no", with_range(walls),
             f"{median(without) / median(before_ns):.2f}", first[0]["id"] if first else "-"]
    return cells, None if is_quiet or is_noise else abs(ratio - 1), None if is_noise else is_good


def row_or_error(times, analyses, is_quiet):
    """row_of(), of futures; what failed is the only cell."""
    try:
        error = next((row["error"] for row in times if "error" in row), None)
        if not error:
            return row_of(times, [analysis.result() for analysis in analyses], is_quiet)
    except subprocess.CalledProcessError as failure:
        error = f"streamtrace ended with {failure.returncode}: {failure.stderr.strip()[-200:]}"
    except Exception as failure:  # the other loops go on
        error = f"{type(failure).__name__}: {failure}"[:200]
    return [error], None, False


def servers_of(build, framework, log, folder):
    """The framework's loops untraced, and under the tracer with traces in FOLDER/FRAMEWORK."""
    paths = folder / framework
    paths.mkdir(exist_ok=True)
    return Loops(framework, log), Loops(framework, log, {
        "LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_START": "paused",
        "STREAMTRACE_OUTPUT": str(paths / "%p.db")})


def measure_all(build, names, rounds, folder):
    """(name, fixes, rows untraced, rows traced) of each loop that the names want."""
    deadline_s = time.monotonic() + float(os.environ.get("BUDGET", "360"))
    servers, cases = {}, []
    with open(folder / "loops.log", "w") as log:
        for framework in [name for name in names if name in FRAMEWORKS] or FRAMEWORKS:
            servers[framework] = servers_of(build, framework, log, folder)
            fixes = [server.start() for server in servers[framework]][0]
            cases += [(framework, *item) for item in fixes.items()
                      if not names or framework in names or item[0] in names] or \
                     ([] if fixes else [(framework, "does not start", [])])
        results = []
        for left, (framework, case, fixes) in zip(range(len(cases), 0, -1), cases):
            now_s = time.monotonic()
            times, rows = measure(*servers[framework], case, rounds, now_s + (deadline_s - now_s) / left,
                                  folder / framework)
            results.append((f"{framework} {case}", fixes, times, rows))
            print(f"{framework} {case}: {len(rows)} rounds, {time.monotonic() - now_s:.1f} s", file=sys.stderr,
                  flush=True)
        for server in (server for pair in servers.values() for server in pair):
            server.stop()
    return results


def analyse_all(build, results):
    """Yields (name, is_quiet, rows untraced and errors, analyses that are under way)."""
    def is_pageable(result):
        return "pageable-copy" in (result[1] or [])

    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as threads:
        for name, fixes, times, rows in sorted(results, key=is_pageable, reverse=True)[:1]:
            for row in rows[:1]:  # alone: it may measure what copies take on this machine, for all
                concurrent.futures.wait([threads.submit(analysed, build, row.get("path"), fixes)])
        for name, fixes, times, rows in results:
            analyses = [threads.submit(analysed, build, row["path"], fixes) for row in rows if "error" not in row]
            failed = [row for row in rows if "error" in row]
            yield name, fixes is None, times + ([] if analyses else failed), analyses


def print_table(build, results):
    head = ["loop", "rounds", "before, ms", "after, ms", "saved, ms", "predicted, ms", "range, ms", "predicted / saved",
            "good", "traced, ms", "untraced, predicted / measured", "first finding"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)
    rows = []
    for name, is_quiet, times, analyses in list(analyse_all(build, results)):
        cells, error, is_good = row_or_error(times, analyses, is_quiet)
        rows.append((is_quiet, error, is_good))
        print("| " + " | ".join([name, *cells]) + " |", flush=True)
    errors = [error for is_quiet, error, _ in rows if error is not None]
    good = [[is_good for is_quiet, _, is_good in rows if is_quiet == kind and is_good is not None]
            for kind in (False, True)]
    noise = sum(is_good is None for _, _, is_good in rows)
    print(f"\nGood: {sum(good[0])} of {len(good[0])} pairs, {sum(good[1])} of {len(good[1])} quiet loops; {noise} within the noise."
          + (f" Median error: {median(errors) * 100:.0f} %." if errors else ""), flush=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.environ.get("KEEP", folder)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        results = measure_all(build, sys.argv[3:], rounds, folder)
        (folder / "times.json").write_text(json.dumps(results, default=str))
        print_table(build, results)


if __name__ == "__main__":
    main()
