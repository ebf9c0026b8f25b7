"""Compares the saving that the report predicts with the measured saving of the fix.

    score.py BUILD [RUNS]

Each sample's twins run RUNS times (default 5) in turn, traced by `streamtrace run`. Saved is the median
time of the broken twin minus that of the fixed one. Predicted is the median of the broken twin's reports.
The rows after the samples are the programs of pairs/. Two of them were written blind; their fixed twins are
compared with twins that also have a stream for each chunk, which is what the report finds in the fixed
ones. In pairs/ the prediction is that of `streamtrace whatif` with the fixes of the twin: the report may
find more. "First use": the prediction is that of a second run with --first-use, the time that of the
first. The last rows are the programs with nothing to find: what the reports predict, in percent of the
run. Prints Markdown. Exit status 1 when the checksums differ.

The time is that between the programs' cudaProfilerStart() and cudaProfilerStop(), called where they read
their own clocks; only that window is recorded. The set-up before it is in neither figure, though a fix
can make it longer (pinned memory takes longer to allocate).
"""
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile


# What the twins of pairs/ fix, each against the one before it.
PAIR_FIXES = {
    ("hot_function", "--fixed"): ("alloc-in-loop", "free-sync", "pageable-blocking"),
    ("many_arrays", "--fixed"): ("pageable-blocking",),
    ("needless_sync", "--fixed"): ("sync-in-loop",),
    ("stencil_threads", "--fixed"): ("pageable-copy", "sync-in-loop"),
    ("two_faults", "--fixed"): ("default-stream", "free-sync"),
    ("stencil_threads", "--spread"): ("serial-stream",),
    ("two_faults", "--spread"): ("serial-stream",),
}


def predicted(build, program, fixed, report, path):
    """The interval that the fixed twin's fixes save, as far as the report has them."""
    if (program.name, fixed) not in PAIR_FIXES:
        return report["headline"]["lost_overlap_ns"]
    fixes = [str(number) for number, finding in enumerate(report["findings"], 1)
             if finding["id"] in PAIR_FIXES[program.name, fixed]]
    if not fixes:
        return {"low": 0, "estimate": 0, "high": 0}
    output = subprocess.run(
        [build / "bin/streamtrace", "whatif", "--format", "json", "--apply", ",".join(fixes), path],
        check=True, capture_output=True, text=True, timeout=120).stdout
    return json.loads(output)["saved_ns"]


def run(build, program, options, path, *run_options):
    return subprocess.run(
        [build / "bin/streamtrace", "run", *run_options, "-o", path, "--", program, *options],
        check=True, capture_output=True, text=True, timeout=120,
        env={**os.environ, "STREAMTRACE_START": "paused"}).stdout


def recorded_ns(path):
    file = sqlite3.connect(path)
    span_ns = file.execute("SELECT sum(end_ns - start_ns) FROM windows").fetchone()[0]
    file.close()
    return span_ns


def trace(build, program, options, path, fixed=None, first_use=False):
    output = run(build, program, options, path)
    span_ns = recorded_ns(path)
    if first_use:
        first = path.rename(path.with_name("first.db"))
        output = run(build, program, options, path, f"--first-use={first}")
        first.unlink()
    report = subprocess.run(
        [build / "bin/streamtrace", "report", "--format", "json", "--all", path],
        check=True, capture_output=True, text=True, timeout=120).stdout
    report = json.loads(report)
    saved = predicted(build, program, fixed, report, path)
    path.unlink()
    return output.split()[1], span_ns, report, saved


def ms(ns):
    return f"{ns / 1e6:.1f}"


def spread(values):
    return f"{ms(statistics.median(values))} ({ms(min(values))}..{ms(max(values))})"


def percent_predicted(report):
    return 100 * report["headline"]["lost_overlap_ns"]["estimate"] / report["headline"]["wall_ns"]


def score(build, program, runs, path, broken=(), fixed="--fixed", first_use=False):
    spans = {broken: [], (fixed,): []}
    reports = {broken: [], (fixed,): []}
    predictions = []
    checksums = set()
    for _ in range(runs):
        for options in spans:
            checksum, span_ns, report, prediction = trace(
                build, program, options, path, fixed, first_use and options == broken)
            if options == broken:
                predictions.append(prediction)
            checksums.add(checksum)
            spans[options].append(span_ns)
            reports[options].append(report)
    saved = statistics.median(spans[broken]) - statistics.median(spans[fixed,])
    lost = {key: statistics.median(p[key] for p in predictions)
            for key in ("low", "estimate", "high")}
    ids = dict.fromkeys(f["id"] for r in reports[broken] for f in r["findings"])
    error = max(abs(r["self_check"]["error"]) for twin in reports.values() for r in twin)
    quiet = max(map(percent_predicted, reports[fixed,]))
    is_inside = lost["low"] <= saved <= lost["high"]
    name = " ".join((program.name, *broken)) + (", first use" if first_use else "")
    print(f"| {name} | {spread(spans[broken])} | {spread(spans[fixed,])} "
          f"| {ms(saved)} "
          f"| {ms(lost['estimate'])} | {ms(lost['low'])}..{ms(lost['high'])} "
          f"| {lost['estimate'] / saved:.3f} | {'yes' if is_inside else 'no'} "
          f"| {100 * error:.3f} | {quiet:.2f} | {', '.join(ids)} |", flush=True)
    return checksums, abs(lost["estimate"] / saved - 1)


def main(arguments):
    build = pathlib.Path(arguments[0]).resolve()
    runs = int(arguments[1]) if len(arguments) > 1 else 5
    samples = build / "bin/samples"
    pairs = build / "bin/bench"
    status, medians = 0, []
    print("| sample | broken, ms | fixed, ms | saved | predicted | interval | predicted / saved "
          "| inside | self-check error, % | predicted for the fixed twin, % | found |")
    print("|---" * 11 + "|")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.db"
        for kind, programs in (("samples", samples), ("pairs", pairs)):
            errors = []
            for program in sorted(p for p in programs.iterdir() if p.is_file() and p.name != "sync_matrix"):
                scores = [score(build, program, runs, path)]
                if (program.name, "--spread") in PAIR_FIXES:
                    scores.append(score(build, program, runs, path, first_use=True))
                    scores.append(score(build, program, runs, path, ("--fixed",), "--spread"))
                for checksums, error in scores:
                    errors.append(error)
                    if len(checksums) != 1:
                        print(f"{program.name}: checksums differ: {checksums}", file=sys.stderr)
                        status = 1
            medians.append(f"{kind}: median error {100 * statistics.median(errors):.1f} %, "
                           f"largest {100 * max(errors):.1f} %")
        print("", *medians, "", sep="\n")
        print("| nothing to find | self-check error, % | predicted, % |\n|---|---|---|")
        for program in sorted((samples / "quiet").iterdir()):
            _, _, report, _ = trace(build, program, (), path)
            print(f"| {program.name} | {100 * abs(report['self_check']['error']):.3f} "
                  f"| {percent_predicted(report):.2f} |", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
