#!/usr/bin/env python3
"""Compares what reports predict of framework loops with what the repaired twins take untraced.

    score.py BUILD [ROUNDS [FRAMEWORK...]]

Each loop and its twin run ROUNDS times (default 5) in turn without the tracer: saved is the difference of
their medians. Then the loop runs once under LD_PRELOAD, in a window. Predicted is what `streamtrace whatif`
says of the twin's fixes, of a quiet loop the report's "lost overlap"; untraced, what the report says that
the loop takes without the tracer. Prints Markdown; a loop that cannot run here is a row that says so.
KEEP=FOLDER in the environment keeps the traces there.
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FRAMEWORKS = ["torch", "cupy", "jax"]


def loops(arguments, environment=None):
    result = subprocess.run([sys.executable, HERE / "loops.py", *arguments], capture_output=True, text=True,
                            timeout=900, env={**os.environ, **(environment or {})})
    rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    if not rows:
        print(f"{' '.join(arguments)}: {result.stderr.strip()[-300:]}", file=sys.stderr)
    return {row["case"]: row for row in rows}


def reports(build, framework, cases, folder):
    """Each case's row of `loops.py trace`, with its report."""
    rows = loops(["trace", framework, *cases], {
        "LD_PRELOAD": str(build / "lib/libstrace.so"), "STREAMTRACE_START": "paused",
        "STREAMTRACE_OUTPUT": str(folder / "%p.db")})
    for row in rows.values():
        if "pid" not in row:
            continue
        path = folder / f"{framework}.{row['case']}.db"
        (folder / f"{row['pid']}.db").rename(path)
        result = subprocess.run([build / "bin/streamtrace", "report", "--format", "json", "--all", path],
                                capture_output=True, text=True, timeout=300)
        row["report"] = json.loads(result.stdout)
        row["predicted"] = predicted(build, path, row)
    return rows


def predicted(build, path, row):
    """What the fixes of the twin save, as far as the report has them."""
    if row["fixes"] is None:
        return row["report"]["headline"]["lost_overlap_ns"]
    fixes = [str(number) for number, finding in enumerate(row["report"]["findings"], 1)
             if finding["id"] in row["fixes"]]
    if not fixes:
        return {"low": 0, "estimate": 0, "high": 0}
    result = subprocess.run(
        [build / "bin/streamtrace", "whatif", "--format", "json", "--apply", ",".join(fixes), path],
        capture_output=True, text=True, timeout=300)
    return json.loads(result.stdout)["saved_ns"]


def ms(ns):
    return f"{ns / 1e6:.1f}"


def row_of(name, times, traced):
    before = statistics.median(times["before_s"]) * 1e9
    after = statistics.median(times["after_s"]) * 1e9 if "after_s" in times else before
    headline = traced["report"]["headline"]
    lost, untraced = traced["predicted"], headline.get("untraced_ns")
    saved = before - after
    ratio = f"{lost['estimate'] / saved:.2f}" if abs(saved) > 0.03 * before else "-"
    is_inside = lost["low"] * 0.95 <= saved <= lost["high"] * 1.05
    spread = (max(times["before_s"]) - min(times["before_s"])) * 1e9 / before
    first = traced["report"]["findings"][:1]
    return [name, ms(before), f"{spread:.0%}", ms(after), ms(saved),
            f"{ms(lost['low'])}..{ms(lost['estimate'])}..{ms(lost['high'])}", ratio,
            "yes" if is_inside else "no", ms(headline["wall_ns"]),
            f"{untraced / before:.2f}" if untraced else "-", first[0]["id"] if first else "-"]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    rounds = sys.argv[2] if len(sys.argv) > 2 else "5"
    head = ["loop", "before, ms", "spread", "after, ms", "saved, ms", "predicted, ms", "predicted / saved",
            "inside", "traced, ms", "untraced, predicted / measured", "first finding"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for framework in sys.argv[3:] or FRAMEWORKS:
            times = loops(["time", framework, rounds])
            traced = reports(build, framework, [c for c in times if "before_s" in times[c]], folder)
            for case, row in times.items():
                error = row.get("error") or traced.get(case, {"error": "not traced"}).get("error")
                cells = [f"{framework} {case}", error] if error else row_of(f"{framework} {case}", row, traced[case])
                print("| " + " | ".join(cells) + " |", flush=True)
        if "KEEP" in os.environ:
            shutil.copytree(folder, os.environ["KEEP"], dirs_exist_ok=True)


main()
