#!/usr/bin/env python3
"""Makes recordings of traces that ranks_of_a_job.py kept: no path of the machine, compressed, with what was measured.

    ranks_recordings.py BUILD KEPT OUT [TRACE...]

TRACE: the folder of one, as collect_each.1, one a fault; default the first of each. OUT gets what ranks_table.py
reads. Numbers of the GPUs from KEPT's cache go into the traces, and which verdicts are right into times.json. Fails
where a path remains, or a report changes by more than names.
"""
import json
import lzma
import pathlib
import re
import shutil
import sqlite3
import sys
import tempfile

from ranks_table import row_of

ROOT, ENVIRONMENT, PYTHON = "/opt/streamtrace", "/opt/venv", "/opt/python"
SYSTEM = re.compile(r"/(usr|lib|lib64)(/|$)")
OWN = re.compile(r"/(home|root|work|workspace|tmp|mnt|data|opt/(?!(streamtrace|venv|python)\b))")
NUMBER = r"\d+(?:\.\d+)?"
PATH = re.compile(r"(?<![\w./*])/\w[\w.+-]*/[^\s:]*")


def columns_of(database):
    tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (table,) in database.execute(tables).fetchall():
        for column in database.execute(f"SELECT name FROM pragma_table_info('{table}') WHERE type = 'TEXT'").fetchall():
            yield table, column[0]


def texts_of(database):
    return [text for table, column in list(columns_of(database))
            for (text,) in database.execute(f"SELECT {column} FROM {table} WHERE typeof({column}) = 'text'")]


def names_of(texts, root):
    """{a folder of the machine: what it is called}, of the texts' paths."""
    names = {root: ROOT} if root else {}
    for text in texts:
        for path in PATH.findall(text):
            prefix, python, rest = path.partition("/lib/python3")
            if python and not SYSTEM.match(prefix):
                names.setdefault(prefix, ENVIRONMENT if "/site-packages/" in rest else PYTHON)
    return names


def root_of(texts):
    marks = ("/tests/bench/frameworks/", "/build/lib/libstrace.so")
    return next((path.partition(mark)[0] for text in texts for path in PATH.findall(text) for mark in marks
                 if mark in path), None)


def numbers_of(database, kept):
    """What was measured of the GPU that the trace is of."""
    (uuid,) = database.execute(
        "SELECT uuid FROM devices WHERE id = (SELECT device_id FROM contexts LIMIT 1)").fetchone()
    path = kept / "cache/streamtrace" / (uuid or "-")
    return [line.split() for line in path.read_text().splitlines()] if path.is_file() else []


def slim(path, kept):
    """Changes the trace in place."""
    database = sqlite3.connect(path)
    texts = texts_of(database)
    names = names_of(texts, root_of(texts))
    for table, column in list(columns_of(database)):
        for folder in sorted(names, key=len, reverse=True):
            database.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?) WHERE typeof({column}) = 'text'",
                             (folder, names[folder]))
    database.executemany("INSERT OR IGNORE INTO metadata VALUES (?, ?)", numbers_of(database, kept))
    database.executemany("INSERT OR REPLACE INTO metadata VALUES (?, ?)",
                         [("source_lines", "stored"), ("host", "gpu"), ("working_directory", ROOT)])
    database.commit()
    database.execute("PRAGMA journal_mode = delete")
    database.execute("PRAGMA page_size = 1024")
    database.execute("VACUUM")
    left = {path for text in texts_of(database) for path in PATH.findall(text) if OWN.match(path)}
    database.close()
    if left:
        sys.exit(f"{path}: paths that remain: {', '.join(sorted(left)[:8])}")


def is_number(word):
    return re.fullmatch(NUMBER, word) is not None


def is_same(before, after):
    """Two words of reports: paths by their names; numbers may differ by a hundredth, since what a report takes from
    the machine's rates is rounded in a recording."""
    if is_number(before) and is_number(after):
        return abs(float(before) - float(after)) <= 0.01 * max(float(before), float(after))
    return before == after


def words_of(build, folder, fault, row, name, ranks):
    """The words of its row in the table, and its verdicts."""
    cells, marks = row_of(build, folder, fault, row, [name], ranks)
    return re.findall(rf"{NUMBER}|\D", re.sub(r"\S*/", "", "|".join(cells))), marks


def record(build, kept, out, fault, row, name, ranks):
    """One job's traces; returns its verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        others = [path.name for path in kept.iterdir() if path.suffix[1:].isdigit() and path.name != name]
        copy = pathlib.Path(shutil.copytree(kept, pathlib.Path(folder) / "kept", ignore=lambda *_: others))
        before, _ = words_of(build, copy, fault, row, name, ranks)
        for path in sorted((copy / name).glob("rank.*.db")):
            slim(path, kept)
        after, marks = words_of(build, copy, fault, row, name, ranks)
        if len(before) != len(after) or not all(map(is_same, before, after)):
            sys.exit(f"{name}: the report was {''.join(before)}, and is {''.join(after)}")
        (out / name).mkdir(exist_ok=True)
        for path in sorted((copy / name).glob("rank.*.db")):
            packed = lzma.compress(path.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
            (out / name / f"{path.name}.xz").write_bytes(packed)
            print(f"{name}/{path.name}.xz: {len(packed):,} bytes, {path.stat().st_size:,} unpacked", flush=True)
    return marks


def main():
    build, kept, out = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    results = json.loads((kept / "times.json").read_text())
    out.mkdir(parents=True, exist_ok=True)
    shutil.copy(kept / "ranks_loops.py", out)
    recorded = {}
    for fault, row in results["faults"].items():
        traces = row.get("traces", {}) if "times" in row else {}
        for name in [name for name in traces if name in (sys.argv[4:] or list(traces)[:1])]:
            recorded[fault] = {"times": row["times"], "traces": {name: traces[name]},
                               "right": record(build, kept, out, fault, row, name, results["ranks"])}
    (out / "times.json").write_text(json.dumps({**results, "faults": recorded}, indent=1) + "\n")


if __name__ == "__main__":
    main()
