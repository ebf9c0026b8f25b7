#!/usr/bin/env python3
"""What depends on each number of analyzer/base/thresholds.def: halves and doubles one at a time, and prints which
findings and totals of the recordings, broken and fixed ones, and of other traces change.

    cmake -B build-thresholds -DSTREAMTRACE_THRESHOLDS=ON -DSTREAMTRACE_CUDA=OFF
    cmake --build build-thresholds --target streamtrace detectors_test
    tests/bench/sensitivity.py build-thresholds [TRACE.db[.xz] ...]

--factors 0.8,1.2  other factors. Exit status 1: a finding came or went by a row of "judgement"
--only NAME,...    these rows alone; NAME=VALUE: that value alone
--tests            which detector tests fail, too, where no recording changes
"""
import argparse
import concurrent.futures
import json
import lzma
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROW = re.compile(r'^THRESHOLD\((\w+), (\w+), ([^,]+),\s*"([^"]*)",\s*((?:"[^"]*"\s*)+),\s*((?:"[^"]*"\s*)+)\)', re.M)


def read_rows():
    text = (ROOT / "analyzer/base/thresholds.def").read_text().replace('\\"', "'")
    join = lambda strings: "".join(re.findall(r'"([^"]*)"', strings))
    rows = [(kind, name, float(value), join(source)) for kind, name, value, _, _, source in ROW.findall(text)]
    if len(rows) != len(re.findall(r"^THRESHOLD\(", text, re.M)):
        sys.exit("a row of thresholds.def is not understood")
    return rows


def run(command, setting):
    environment = dict(os.environ, **({"THRESHOLD": setting} if setting else {}))
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def place_of(finding):
    site = finding["site"] or {}
    return f'{finding["id"]}:{site.get("line") or site.get("function")}'


def report_of(program, trace, setting, fold_share):
    """{finding: estimate, ns}, and "total"; those that are listed; what limits the estimates."""
    report = json.loads(run([program, "report", "--no-measure", "--format=json", "--all", trace], setting).stdout)
    lost = {place_of(finding): (finding["lost_overlap_ns"] or {}).get("estimate", 0) for finding in report["findings"]}
    listed = {place for place, ns in lost.items() if ns >= fold_share * report["headline"]["untraced_ns"]}
    lost["total"] = (report["headline"]["lost_overlap_ns"] or {}).get("estimate", 0)
    return lost, listed, json.dumps([report["not_seen"], report["self_check"], report["findings"]])


def compare(traces, before, now):
    """Lines of what differs, and whether a listed finding came or went."""
    lines, has_cliff, moved, detailed, most = [], False, 0, 0, 0.0
    for trace, old, new in zip(traces, before, now):
        name = os.path.basename(trace).removesuffix(".db")
        for sign, places in (("-", old[1] - new[1]), ("+", new[1] - old[1])):
            has_cliff |= bool(places)
            lines += [f"{sign}{name}/{place}" for place in sorted(places)]
        if old[0] != new[0]:
            moved += 1
            most = max(most, abs(new[0]["total"] - old[0]["total"]) / max(old[0]["total"], 1))
        elif old != new:
            detailed += 1
    if moved:
        lines.append(f"{moved} traces, total by up to {100 * most:.2g} %")
    if detailed:
        lines.append(f"ranges or sentences of {detailed} traces")
    return lines, has_cliff


def failing_tests(build, setting):
    said = run(["ctest", "--test-dir", str(build), "-L", "^detectors$", "-j", str(os.cpu_count())], setting).stdout
    return sorted(set(re.findall(r"(?:- |Test +#\d+: )detectors\.(\S+) .*(?:Failed|\*\*\*)", said)))


def settings_of(row, factors):
    kind, _, value, _ = row
    values = [value * factor for factor in factors]
    if kind != "double":
        values = [round(item) if factor > 1 else int(item) for item, factor in zip(values, factors)]
    return [item for item in values if item != value and item > 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("traces", nargs="*")
    parser.add_argument("--factors", default="0.5,2")
    parser.add_argument("--only", default="")
    parser.add_argument("--tests", action="store_true")
    arguments = parser.parse_args()
    only = dict(item.partition("=")[::2] for item in arguments.only.split(",") if item)
    factors = [float(factor) for factor in arguments.factors.split(",")]
    program, rows, has_judged_cliff = str(arguments.build / "bin/streamtrace"), read_rows(), False
    fold_share = {name: value for _, name, value, _ in rows}["FOLD_SHARE"]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        traces = sorted(str(path) for path in (ROOT / "samples/recordings").glob("*.db"))
        for trace in arguments.traces:
            if trace.endswith(".xz"):
                unpacked = pathlib.Path(scratch) / pathlib.Path(trace).stem
                unpacked.write_bytes(lzma.open(trace).read())
                trace = str(unpacked)
            traces.append(trace)

        def reports(setting, share):
            return list(pool.map(lambda trace: report_of(program, trace, setting, share), traces))

        before = reports(None, fold_share)
        for row in rows:
            _, name, value, source = row
            if only and name not in only:
                continue
            values = [float(only[name])] if only.get(name) else settings_of(row, factors)
            for other in values:
                setting = f"{name}={other:.17g}"
                now = reports(setting, other if name == "FOLD_SHARE" else fold_share)
                lines, has_cliff = compare(traces, before, now)
                if not lines and arguments.tests:
                    lines = ["tests: " + " ".join(failing_tests(arguments.build, setting))]
                is_judged_cliff = has_cliff and source.startswith("judgement")
                has_judged_cliff |= is_judged_cliff
                cliff = " (a cliff)" if is_judged_cliff else ""
                print(f"{name} {value:g} -> {other:g}: {'; '.join(lines) or 'nothing'}{cliff}", flush=True)
    sys.exit(has_judged_cliff)


if __name__ == "__main__":
    main()
