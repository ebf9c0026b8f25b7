#!/usr/bin/env python3
"""What reports say of the traces of ranks_of_a_job.py, beside what was measured.

    ranks_table.py BUILD KEPT

KEPT has times.json and ranks_loops.py as they were then, and a folder for each trace of a job. Traces of a recording
(ranks_recordings.py) are compressed, and times.json has which verdicts were right: the exit status is 1 if one is not
any more.
"""
import contextlib
import json
import lzma
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from ranks_process import FAULTS, faulty_ranks
from score import QUIET_MOST, verdict, with_range

HERE = pathlib.Path(__file__).resolve().parent


def streamtrace(build, kept, *arguments, **options):
    """Its cache, with what is measured of the GPUs, is kept with the traces."""
    return subprocess.run([build / "bin/streamtrace", *arguments], capture_output=True, text=True, check=True,
                          env={**os.environ, "XDG_CACHE_HOME": str(kept / "cache"), "COLUMNS": "100"}, **options).stdout


@contextlib.contextmanager
def unpacked(kept):
    """The folder, or where its traces are compressed a copy with traces."""
    if not any(kept.rglob("*.db.xz")):
        yield kept
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(shutil.copytree(kept, pathlib.Path(folder) / "kept"))
        for packed in copy.rglob("*.db.xz"):
            packed.with_suffix("").write_bytes(lzma.decompress(packed.read_bytes()))
        yield copy


def ranks_of(finding, processes):
    return sorted(processes[number]["rank"] for number in finding["processes"])


def text_at(kept, where):
    """The line of the loops' file that a finding's `where` names, FILE:LINE, as it was recorded."""
    name, _, line = where.partition(" ")[0].rpartition(":")
    paths = [folder / pathlib.Path(name).name for folder in (kept, HERE)]
    path = next((path for path in paths if path.is_file()), None)
    lines = path.read_text().splitlines() if path and line.isdigit() else []
    return lines[int(line) - 1] if lines else ""


def text_of(count, total):
    """How many of all traces have it."""
    return "yes" if count == total else f"{count} of {total}" if count else "no"


def analysed(build, folder, fault, ranks):
    """What the report of a trace says: {"job", "first" finding as shown, "marks" of its rank, line and cause, "saved"
    by the findings of the cause on faulty ranks, in ns: low, estimate, high}. The report is kept beside the folder."""
    paths, expected = [folder / f"rank.{rank}.db" for rank in range(ranks)], FAULTS[fault]
    report = json.loads(streamtrace(build, folder.parent, "report", "--format", "json", "--all", *paths))
    (folder.parent / f"{folder.name}.txt").write_text(streamtrace(build, folder.parent, "report", *paths))
    findings, processes = report["findings"], report["processes"]
    first = findings[0] if findings else None
    shown = f"{first['id']} {first['where']}, {ranks_of(first, processes)}" if first else "-"
    if expected is None:
        return {"job": report["job"], "first": shown}
    faulty = faulty_ranks(fault, ranks)
    found = [finding for finding in findings
             if finding["id"] in expected[1] and set(ranks_of(finding, processes)) & set(faulty)]
    marks = [first is not None and ranks_of(first, processes) == faulty,
             first is not None and any(text in text_at(folder.parent, first["where"]) for text in expected[2]),
             first is not None and first["id"] in expected[1]]
    return {"job": report["job"], "first": shown, "marks": marks,
            "saved": [sum(finding["saved_ns"][end] for finding in found) for end in ("low", "estimate", "high")]}


def cells_of(build, kept, fault, row, names, ranks):
    """What the reports of a fault's traces say beside what was measured; the verdicts on rank, line, cause, which have
    to be right in each, and the saving: the median."""
    reports = [analysed(build, kept / name, fault, ranks) for name in names]
    jobs, median = [report["job"] for report in reports], statistics.median
    times_ns = [[seconds * 1e9 for seconds in times] for times in zip(*row["times"])]
    lost_ns = median(job["lost_ns"]["estimate"] for job in jobs)
    told = [str(len(names)), f"{median(row['traces'][name] for name in names) * 1e3:.1f}", f"{lost_ns / 1e6:.1f}",
            f"{jobs[0]['method']}, {jobs[0]['collectives']['complete']} of {jobs[0]['collectives']['seen']}"]
    if FAULTS[fault] is None:
        is_good = lost_ns <= QUIET_MOST * median(job["wall_ns"] for job in jobs)
        return [with_range(times_ns[0]), "-", "-", reports[0]["first"], "-", "-", "-", "-", "-", "-",
                "yes" if is_good else "no", *told], [is_good]
    low, estimate, high = (median(ends) for ends in zip(*(report["saved"] for report in reports)))
    saved = median(times_ns[0]) - median(times_ns[1])
    interval, ratio, is_good = verdict(saved, low, estimate, high)
    right = [sum(marks) for marks in zip(*(report["marks"] for report in reports))]
    return [with_range(times_ns[0]), with_range(times_ns[1]), f"{saved / 1e6:.1f}", reports[0]["first"],
            f"{estimate / 1e6:.1f}", interval, f"{ratio:.2f}", *(text_of(count, len(names)) for count in right),
            "yes" if is_good else "no", *told], [*(count == len(names) for count in right), is_good]


def row_of(build, kept, fault, row, names, ranks):
    """As cells_of(); what fails is the only cell."""
    try:
        if "times" not in row or not names:
            return [row.get("error") or row.get("untraced") or "was not run"], [False] * 4
        return cells_of(build, kept, fault, row, names, ranks)
    except Exception as failure:  # the other rows come
        why = f"{type(failure).__name__}: {getattr(failure, 'stderr', None) or failure}"
        return [" ".join(why.split())[:300]], [False] * 4


def print_table(build, kept):
    """Returns whether a verdict that was right in a recording is not any more."""
    head = ["fault", "broken, ms", "fixed, ms", "saved, ms", "first finding", "predicted, ms", "range, ms",
            "predicted / saved", "rank right", "line right", "cause right", "good", "traces", "traced, ms",
            "all fixes, ms", "method, collectives"]
    pairs, quiet, is_worse = [], [], False
    with unpacked(kept) as kept:
        results = json.loads((kept / "times.json").read_text())
        print(f"{results['ranks']} ranks on {results['gpus']} GPUs\n\n| " + " | ".join(head) + " |\n|"
              + "---|" * len(head), flush=True)
        for fault, row in results["faults"].items():
            cells, marks = row_of(build, kept, fault, row, list(row.get("traces", {})), results["ranks"])
            (quiet if FAULTS[fault] is None else pairs).append(marks)
            is_worse |= any(was and not mark for was, mark in zip(row.get("right", []), marks))
            print(f"| {fault} | " + " | ".join(cells) + " |", flush=True)
    right = [sum(marks[i] for marks in pairs) for i in range(4)]
    print(f"\nOf {len(pairs)}: rank right {right[0]}, line right {right[1]}, cause right {right[2]}, good {right[3]}. "
          f"Quiet: {sum(marks[0] for marks in quiet)} of {len(quiet)}.", flush=True)
    return is_worse


if __name__ == "__main__":
    sys.exit(print_table(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:3])))
