#!/usr/bin/env python3
"""Compares what reports predict of framework loops with what the repaired twins take untraced.

    score.py BUILD [ROUNDS [FRAMEWORK...]]

In each of ROUNDS rounds (default 5) every loop and its twin run untraced in one process, and the loop
runs in another under LD_PRELOAD, recorded in a window (loops.py). Saved is the difference of the medians
over the rounds. Predicted is what `streamtrace whatif` says of the twin's fixes, of a quiet loop the
report's "lost overlap"; untraced, what the report says that the loop takes without the tracer: medians,
too. Prints Markdown, in parentheses the smallest and the largest of the rounds; a loop that cannot run
here is a row that says so. KEEP=FOLDER in the environment keeps the traces and the times there.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FRAMEWORKS = ["torch", "cupy", "jax"]


def loops(mode, framework, environment=None):
    """The rows of loops.py, by case."""
    result = subprocess.run([sys.executable, HERE / "loops.py", mode, framework], capture_output=True, text=True,
                            timeout=900, env={**os.environ, **(environment or {})})
    rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    if not rows:
        print(f"{mode} {framework}: {result.stderr.strip()[-300:]}", file=sys.stderr)
    return {row["case"]: row for row in rows}


def traced(build, framework, folder, number):
    """Each case's row of `loops.py trace`, with the path of its trace."""
    rows = loops("trace", framework, {
        "LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_START": "paused",
        "STREAMTRACE_OUTPUT": str(folder / "%p.db")})
    for row in rows.values():
        if "pid" in row:
            row["path"] = folder / f"{framework}.{row['case']}.{number}.db"
            (folder / f"{row['pid']}.db").rename(row["path"])
    return rows


def streamtrace(build, *arguments):
    result = subprocess.run([build / "bin/streamtrace", *arguments], capture_output=True, text=True, timeout=300,
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


def predicted(build, row, report):
    """What the fixes of the twin save, as far as the report has them."""
    if row["fixes"] is None:
        return report["headline"]["lost_overlap_ns"]
    fixes = [str(number) for number, finding in enumerate(report["findings"], 1) if is_fixed(finding, row["fixes"])]
    if not fixes:
        return {"low": 0, "estimate": 0, "high": 0}
    return streamtrace(build, "whatif", "--format", "json", "--apply", ",".join(fixes), row["path"])["saved_ns"]


def median(values):
    return statistics.median(list(values))


def with_range(values, scale=1e-6):
    values = [value * scale for value in values]
    return f"{median(values):.1f} ({min(values):.1f}..{max(values):.1f})"


def row_of(build, untraced, rows):
    """The cells of one loop's line. untraced, rows: of all rounds."""
    before_ns = [row["before_s"] * 1e9 for row in untraced]
    after_ns = [row.get("after_s", row["before_s"]) * 1e9 for row in untraced]
    reports = [streamtrace(build, "report", "--format", "json", "--all", row["path"]) for row in rows]
    savings = [predicted(build, row, report) for row, report in zip(rows, reports)]
    low, estimate, high = (median(saving[end] for saving in savings) for end in ("low", "estimate", "high"))
    walls = [report["headline"]["wall_ns"] for report in reports]
    without = [report["headline"].get("untraced_ns") or wall for report, wall in zip(reports, walls)]
    saved = median(before_ns) - median(after_ns)
    ratio = f"{estimate / saved:.2f}" if abs(saved) > 0.03 * median(before_ns) else "-"
    is_inside = low * 0.95 <= saved <= high * 1.05
    first = reports[0]["findings"][:1]
    return [with_range(before_ns), with_range(after_ns), f"{saved / 1e6:.1f}",
            with_range([saving["estimate"] for saving in savings]), f"{low / 1e6:.1f}..{high / 1e6:.1f}", ratio,
            "yes" if is_inside else "no", with_range(walls), f"{median(without) / median(before_ns):.2f}",
            first[0]["id"] if first else "-"]


def score(build, framework, rounds, folder):
    untraced, rows = [], []
    for number in range(rounds):
        untraced.append(loops("time", framework))
        rows.append(traced(build, framework, folder, number))
    (folder / f"{framework}.times.json").write_text(json.dumps(untraced))
    for case in untraced[0]:
        runs = [times[case] for times in untraced if case in times]
        traces = [row[case] for row in rows if case in row]
        errors = [run["error"] for run in runs + traces if "error" in run]
        if not errors and not traces:
            errors = ["not traced"]
        cells = [f"{framework} {case}", *(errors[:1] or row_of(build, runs, traces))]
        print("| " + " | ".join(cells) + " |", flush=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    head = ["loop", "before, ms", "after, ms", "saved, ms", "predicted, ms", "interval", "predicted / saved", "inside",
            "traced, ms", "untraced, predicted / measured", "first finding"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.environ.get("KEEP", folder))
        folder.mkdir(exist_ok=True)
        for framework in sys.argv[3:] or FRAMEWORKS:
            score(build, framework, rounds, folder)


if __name__ == "__main__":
    main()
