#!/usr/bin/python3
"""The formats of reports: formats_test.py STREAMTRACE SOURCE_DIR SQL

JSON against the schema that --json-schema prints; md and csv of a trace whose names try to be markup
or formulas; the filters; files of -o; what explain says. SQL: the command-line program of SQLite.
"""
import base64
import csv
import html
import io
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import schemas
from schemas import is_valid

STREAMTRACE, SOURCE, SQL = sys.argv[1:]
RECORDINGS = os.path.join(SOURCE, "samples", "recordings")
HOSTILE = "=EVIL('x')|`a`` \\| ``` ~~~ <img src=x onerror=EVIL> [EVIL](EVIL) @EVIL \",\" ''"
failures = 0


def check(condition, text):
    global failures
    if not condition:
        print(f"formats: {text}")
        failures += 1


def run(*arguments, status=0, **environment):
    done = subprocess.run([STREAMTRACE, *arguments], capture_output=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "", **environment})
    check(done.returncode == status, f"{arguments}: status {done.returncode}: {done.stderr}")
    return done.stdout.decode()


def report(format, *arguments, status=0, **environment):
    return run("report", "--no-measure", f"--format={format}", *arguments, status=status, **environment)


def check_schema(schema, value, trace):
    for error in schemas.errors(value, schema):
        check(False, f"{trace}: {error}")


def check_json(traces):
    schema = json.loads(run("report", "--json-schema"))
    for trace in traces:
        check_schema(schema, json.loads(report("json", "--all", trace)), trace)
    several = json.loads(report("json", *traces[:2]))
    check(len(several) == 2 and is_valid(several, schema, schema), "an array of two")
    # The check itself finds what is wrong.
    value = json.loads(report("json", traces[0]))
    value["headline"]["wall_ns"] = "long"
    check(not is_valid(value, schema, schema), "a text in place of a time is valid")
    value = json.loads(report("json", traces[0]))
    del value["findings"][0]["fix"]
    check(not is_valid(value, schema, schema), "a finding without a fix is valid")


def check_gate_json():
    schema = json.loads(run("diff", "--json-schema"))
    check(schema == json.loads(run("check", "--json-schema")), "the schemas of check and diff")
    base, head = (os.path.join(RECORDINGS, name) for name in ["pageable_copy.db", "pageable_copy.fixed.db"])
    other = os.path.join(RECORDINGS, "sync_in_loop.db")
    for status, command, *traces in [(0, "check", head), (1, "check", base), (0, "diff", base, head),
                                     (1, "diff", head, base), (1, "diff", base, other)]:
        value = json.loads(run(command, "--no-measure", "--format=json", *traces, status=status))
        check_schema(schema, value, f"{command} {traces}")
        check((value["change"] is None) == (command == "check"), f"{command}: {value['change']}")
    del value["change"]["predicted_ns"]
    check(not is_valid(value, schema, schema), "a change without a prediction is valid")


def check_source(folder):
    """Three lines around a finding: from this machine, as old as they are, and no file that is not one."""
    os.makedirs(os.path.join(folder, "samples"))
    source = os.path.join(folder, "samples", "pageable_copy.cu")
    trace = os.path.join(folder, "source.db")
    shutil.copy(os.path.join(RECORDINGS, "pageable_copy.db"), trace)
    subprocess.run([SQL, trace, f"UPDATE metadata SET value = '{folder}' WHERE key = 'working_directory'"], check=True)
    with open(source, "w") as file:
        file.writelines(f"\tline {number}\x1b[31m\n" if number == 26 else f"\t  line {number}\n" for number in range(1, 28))
    os.utime(source, (1, 1))
    schema = json.loads(run("report", "--json-schema"))
    value = json.loads(report("json", "--source", trace))
    check_schema(schema, value, "with a source")
    shown = value["findings"][0]["source"]
    check(shown["file"] == source and shown["first_line"] == 25 and shown["has_changed"] is False, f"the source {shown}")
    check(shown["lines"] == ["  line 25", "line 26?[31m", "  line 27"], f"the lines {shown['lines']}")
    check(json.loads(report("json", trace))["findings"][0]["source"] is None, "a source without --source")
    text = report("text", "--source", trace)
    check("\n        25    line 25\n  >     26  line 26" in text and "\x1b" not in text, f"no lines in {text}")
    check("changed since" not in text, "an old file has changed")
    check("<pre><span>25    line 25\n</span><b>26  line 26?[31m\n</b>" in report("html", "--source", trace), "no source in the page")
    os.utime(source)
    check(f"source: changed since the trace: {source}" in " ".join(report("text", "--source", trace).split()), "a new file has not changed")
    check(json.loads(report("json", "--source", trace))["findings"][0]["source"]["has_changed"], "nor in JSON")
    with open(source, "w") as file:
        file.write("only one line")
    check("source: no such line on this machine" in report("text", "--source", trace), "a file with one line has line 26")
    os.remove(source)
    os.mkfifo(source)
    check("source: no such line on this machine" in report("text", "--source", trace), "a pipe is a source")
    for arguments in [["--format=csv"], ["--format=md"], ["--host"]]:
        run("report", "--source", *arguments, trace, status=2)


def outside_of_code(text):
    """The markdown without fenced blocks and code spans."""
    kept, fence = [], None
    for line in text.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if fence is None and ticks and "`" not in line[ticks.end():]:
            fence = ticks.end()
        elif fence is not None and ticks and ticks.end() >= fence and not line[ticks.end():].strip():
            fence = None
        elif fence is None:
            kept.append(line)
    check(fence is None, "a fenced block does not end")
    return [re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", line) for line in kept]


def check_md(trace):
    text = report("md", "--all", trace)
    lines = outside_of_code(text)
    check("EVIL" in text, "the hostile name is not there")
    check(not any("EVIL" in line or "img" in line for line in lines), f"markup from a name: {lines}")
    rows = [line for line in text.split("\n") if line.startswith("|")]
    check(len(rows) > 2 and {line.count("|") for line in rows} == {8}, f"the table's cells: {rows}")
    check([line for line in lines if line.startswith("<")] ==
          ["<details><summary>Evidence, fixes and notes</summary>", "</details>"], "the folded part")


def check_csv(traces):
    text = report("csv", "--all", *traces)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    check(len(rows) > 2 and {len(row) for row in rows} == {26}, f"{[len(row) for row in rows]} cells")
    check(rows[0][0] == "trace" and sum(row[0] == "trace" for row in rows) == 1, "the names of the columns, once")
    check(all(not re.match(r"[=+@\t\r]|-(?![0-9])", cell) for row in rows for cell in row), "a cell is a formula")
    check(any("EVIL" in cell for row in rows for cell in row), "the hostile name is not there")
    check(text.count("\r\n") == len(rows) and "\n" not in text.replace("\r\n", ""), "a row is more than a line")


def check_figures_of_csv(trace):
    """Its figures are those of the JSON."""
    rows = csv.DictReader(io.StringIO(report("csv", "--all", trace), newline=""))
    said = json.loads(report("json", "--all", trace))
    figures = {"number": lambda finding: finding["number"], "line": lambda finding: finding["site"]["line"],
               "pass": lambda finding: finding["look"], "times": lambda finding: finding["count"],
               "blocked_ns": lambda finding: finding["blocked_ns"],
               "saves_low_ns": lambda finding: finding["lost_overlap_ns"]["low"],
               "saves_ns": lambda finding: finding["lost_overlap_ns"]["estimate"],
               "saves_high_ns": lambda finding: finding["lost_overlap_ns"]["high"],
               "saves_step_low_ns": lambda finding: finding["step_ns"]["low"],
               "saves_step_ns": lambda finding: finding["step_ns"]["estimate"],
               "saves_step_high_ns": lambda finding: finding["step_ns"]["high"]}
    for row, finding in zip(rows, said["findings"], strict=True):
        for name, figure in figures.items():
            check(row[name] == str(figure(finding)), f"{trace}: {name} is {row[name]} in csv, {figure(finding)} in JSON")


def check_hostile(folder):
    trace = os.path.join(folder, "hostile.db")
    shutil.copy(os.path.join(RECORDINGS, "pageable_copy.db"), trace)
    name = HOSTILE.replace("'", "''")
    subprocess.run([SQL, trace, f"""UPDATE frames SET file = '{name}', function = '{name}';
        UPDATE modules SET path = '{name}'; UPDATE strings SET text = '{name}' || id; UPDATE devices SET name = '{name}';
        UPDATE metadata SET value = '{name}' WHERE key IN ('program', 'command_line', 'working_directory')"""], check=True)
    check_json([trace, trace])
    check(HOSTILE in json.loads(report("json", trace))["findings"][0]["site"]["file"], "the name in JSON")
    check_md(trace)
    check_csv([trace, trace])
    text = report("text", trace)
    check("EVIL" in text and all(c == "\n" or c.isprintable() for c in text), "control characters in the text")


def check_long_names(folder):
    """Names that are longer than a line, of characters that take one column and two."""
    trace = os.path.join(folder, "long.db")
    shutil.copy(os.path.join(RECORDINGS, "pageable_copy.db"), trace)
    for letter, width in [("n", 1), ("\u6f22", 2)]:
        name = 2000 * letter
        subprocess.run([SQL, trace, f"""UPDATE frames SET file = '/{name}', function = '{name}';
            UPDATE strings SET text = '{name}' || id; UPDATE devices SET name = '{name}';
            UPDATE metadata SET value = '{name}' WHERE key = 'program'"""], check=True)
        for columns in [60, 80, 200]:
            text = run("report", "--no-measure", trace, COLUMNS=str(columns))
            widths = [sum(width if c == letter else 1 for c in line) for line in text.split("\n")]
            check(max(widths) <= columns, f"{columns} columns: a line of {max(widths)}")


def check_deep_name(folder):
    """A kernel's name that would take more stack than there is, where its parameters are read."""
    trace = os.path.join(folder, "deep.db")
    shutil.copy(os.path.join(RECORDINGS, "pageable_copy.db"), trace)
    subprocess.run([SQL, trace, "UPDATE strings SET text = '_Z1f' || replace(hex(zeroblob(150000)), '0', 'P') || 'i'"], check=True)
    for format in ["text", "json"]:
        report(format, "--all", trace)


def make_job(folder, names):
    """Two ranks of one job; names: what the hostile trace's names become."""
    os.makedirs(folder, exist_ok=True)
    for rank in [0, 1]:
        trace = os.path.join(folder, f"rank.{rank}.db")
        shutil.copy(os.path.join(RECORDINGS, "pageable_copy.db"), trace)
        name = names.replace("'", "''")
        subprocess.run([SQL, trace, f"""UPDATE frames SET file = '/{name}', function = '{name}';
            UPDATE strings SET text = '{name}' || id; UPDATE devices SET name = '{name}';
            UPDATE metadata SET value = '{name}' WHERE key = 'program';
            INSERT OR REPLACE INTO metadata VALUES ('rank', {rank}), ('ranks', 2), ('host', '{rank}{name}'),
                ('process_id', {100 + rank}), ('run', '{name}')"""], check=True)
    return folder


def check_job(folder):
    job = make_job(os.path.join(folder, "job"), HOSTILE)
    value = json.loads(report("json", "--all", job))
    check_schema(json.loads(run("report", "--json-schema=job")), value, job)
    check(value["processes"][1]["host"] == "1" + HOSTILE, "the host in JSON")
    check(value["findings"][0]["processes"] == [0, 1], "the ranks of a finding")
    text = report("md", "--all", job)
    lines = outside_of_code(text)
    check("EVIL" in text and not any("EVIL" in line or "img" in line for line in lines), f"markup: {lines}")
    for count in [8, 9]:
        rows = [line for line in text.split("\n") if line.startswith("|") and line.count("|") == count]
        check(len(rows) > 2, f"a table of {count - 1} columns: {text}")
    rows = list(csv.reader(io.StringIO(report("csv", "--all", job), newline=""), strict=True))
    check(len(rows) > 2 and {len(row) for row in rows} == {18}, f"{[len(row) for row in rows]} cells")
    check(all(not re.match(r"[=+@\t\r]|-(?![0-9])", cell) for row in rows for cell in row), "a cell is a formula")
    for letter, width in [("n", 1), ("\u6f22", 2)]:
        job = make_job(os.path.join(folder, "long"), 2000 * letter)
        for columns in [80, 200]:
            text = run("report", job, COLUMNS=str(columns))
            widths = [sum(width if c == letter else 1 for c in line) for line in text.split("\n")]
            check(max(widths) <= columns, f"{columns} columns: a line of {max(widths)} in a job")


def on_terminal(*arguments, **environment):
    """What a report writes to a terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        arguments = arguments or (os.path.join(RECORDINGS, "pageable_copy.db"),)
        os.execve(STREAMTRACE, ["streamtrace", "report", "--no-measure", *arguments],
                  {"LC_ALL": "C.UTF-8", **environment})
    out = b""
    while True:
        try:
            out += os.read(terminal, 65536)
        except OSError:
            break
    os.close(terminal)
    check(os.waitpid(pid, 0)[1] == 0, "the report on a terminal failed")
    return out


def has_terminals():
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        print("no terminal here, as without /dev/pts: the tests of colour are skipped")
        return False
    return True


def check_color():
    if not has_terminals():
        return
    check(b"\033[1m" in on_terminal(TERM="xterm"), "no colour on a terminal")
    check(b"\033[1m" in on_terminal(TERM="xterm", NO_COLOR=""), "an empty NO_COLOR counts")
    for environment in [{"TERM": "xterm", "NO_COLOR": "1"}, {"TERM": "dumb"}, {}]:
        check(b"\033" not in on_terminal(**environment), f"colour with {environment}")
    check("\033" not in report("text", os.path.join(RECORDINGS, "pageable_copy.db")), "colour in a pipe")


def check_first_screen(traces):
    """The first fix is in the first 20 lines, before the bars; notes are for --all."""
    for trace in traces:
        text = report("text", trace)
        lines = text.splitlines()
        fixes = [number for number, line in enumerate(lines, 1) if line.startswith("    fix: ")]
        bars = [number for number, line in enumerate(lines, 1) if line.startswith("compute ")]
        check(not fixes or fixes[0] <= 20 and fixes[0] < bars[0], f"{trace}: the first fix is in line {fixes[:1]}")
        check("Estimates replay" not in text and "(no debug info)" not in text, f"{trace}: {text}")
    check("Estimates replay" in report("text", "--all", traces[0]), "notes with --all")


def check_terms(folder):
    """What allocating and freeing take, apart; a name without lines is cut in its middle, and -g is asked for once."""
    trace = os.path.join(folder, "terms.db")
    shutil.copy(os.path.join(RECORDINGS, "alloc_in_loop.db"), trace)
    text = " ".join(report("text", trace).split())
    check(re.search(r"that is [0-9.]+ [mu]?s allocating \+ [0-9.]+ [mu]?s freeing", text), f"terms: {text}")
    subprocess.run([SQL, trace, "UPDATE frames SET line = NULL, file = NULL"], check=True)
    text = report("text", trace, COLUMNS="60")
    check(text.count("compile with -g") == 1, f"-g: {text}")


def check_problems(folder):
    """As compilers print warnings; the ending of a file is its format."""
    trace = os.path.join(RECORDINGS, "pageable_copy.db")
    lines = report("problems", trace).splitlines()
    findings = json.loads(report("json", trace))["findings"]
    check(len(lines) == sum(len(one["sites"]) for one in findings), f"problems: {lines}")
    for line in lines:
        check(re.fullmatch(r"[^:\n]+\.cu:[0-9]+:1: warning: .+; the fix saves [0-9.]+ ms \([0-9.]+ %\)\. .+ \[[a-z-]+\]", line),
              f"no warning: {line}")
    for ending, opening in (("html", "<!DOCTYPE html>"), ("json", "{"), ("md", "###"), ("other", "pageable_copy on")):
        file = os.path.join(folder, "by-name." + ending)
        run("report", "--no-measure", "-o", file, trace)
        check(open(file, encoding="utf-8").read().startswith(opening), f"{file} is of another format")
    copy = os.path.join(folder, "bare.db")
    shutil.copy(trace, copy)
    check(run(copy).startswith("pageable_copy on"), "a trace without a command")
    if has_terminals():
        shown = on_terminal("--format=html", copy, TERM="xterm")
        check(b"<html" not in shown and os.path.exists(copy[:-2] + "html"), f"a page on a terminal: {shown[:200]}")


def check_processes():
    """One list of all findings, the largest saving first, then the reports."""
    traces = [os.path.join(RECORDINGS, name + ".db") for name in ["default_stream", "pageable_copy"]]
    lines = report("text", *traces).split("\n")
    check(lines[0] == "2 processes" and lines[2].startswith("process "), f"the list begins with {lines[:3]}")
    rows = [line.split() for line in lines[3:lines.index("", 3)]]
    check([row[0] for row in rows] == ["pageable_copy", "pageable_copy", "default_stream"], f"the list: {rows}")
    savings = [float(row[3]) for row in rows]
    check(savings == sorted(savings, reverse=True), f"the list's order: {savings}")
    check(all(any(line.endswith(trace) for line in lines) for trace in traces), "a report has no name")


def numbers(*arguments):
    return [one["number"] for one in json.loads(report("json", *arguments))["findings"]]


def check_filters():
    trace = os.path.join(RECORDINGS, "pageable_copy.db")
    check(numbers(trace) == [1, 2], "both findings")
    check(numbers("--top=1", trace) == [1], "--top")
    check(numbers("--min=500ms", trace) == [1] and numbers("--min=30%", trace) == [1], "--min")
    check(numbers("--min=2s", trace) == [], "--min above all")
    check(numbers("--site=copy.cu:22", trace) == [2] and numbers("--site=PAGEABLE*:2?", trace) == [1, 2], "--site")
    check(numbers("--site=nowhere", trace) == [], "--site of none")
    check(numbers("--kernel=mix_*ents", trace) == [1] and numbers("--kernel=other", trace) == [], "--kernel")
    check(numbers("--device=0", trace) == [1, 2] and numbers("--device=1", trace) == [], "--device")
    streams = [number for number in range(64) if numbers(f"--stream={number}", "--top=1", trace)]
    check(len(streams) == 4, f"copies in {streams}, not in four streams")
    check(numbers("--time=0s..100ms", trace) == [] and numbers("--time=1.2s..", trace) == [1, 2], "--time")
    headline = json.loads(report("json", "--top=1", trace))["headline"]
    alone = json.loads(report("json", trace))["findings"][0]["lost_overlap_ns"]
    check(headline["left_out"] == 1 and headline["shown_lost_overlap_ns"] == alone, "what one finding saves alone")
    check(headline["lost_overlap_ns"]["estimate"] > alone["estimate"], "the total stays that of all findings")
    check("1 finding left out, as asked for. Those shown save 518 ms" in report("text", "--top=1", trace), "its text")
    check("Nothing matches --site=nowhere: there are pageable_copy.cu:26, pageable_copy.cu:22." in
          " ".join(report("text", "--site=nowhere", trace).split()), "a site of none")
    check("2 findings left out, as asked for." in report("text", "--kernel=other", trace), "what is left out is said")
    page = report("html", "--top=1", trace)
    check('"number":1,' in page and '"number":2,' not in page, "--top of a page")
    for wrong in ["--min=10", "--min=-1ms", "--min=x", "--time=1s", "--time=2s..1s", "--time=..", "--top=0", "--stream=-1"]:
        report("text", wrong, trace, status=2)


def check_ranges(folder):
    """NVTX ranges: named in each format, and what --nvtx chooses."""
    trace = os.path.join(folder, "ranges.db")
    shutil.copy(os.path.join(RECORDINGS, "pageable_copy.db"), trace)
    subprocess.run([SQL, trace, """
        CREATE TABLE nvtx_ranges (id INTEGER PRIMARY KEY, is_pushed, thread_id, start_ns, end_ns, end_thread_id,
                                  name_id, domain_id, color);
        PRAGMA user_version = 2001;
        INSERT INTO strings VALUES (1001, 'epoch 1'), (1002, '=EVIL(1)'), (1003, 'train');
        INSERT INTO nvtx_ranges SELECT 1, 1, thread_id, min(start_ns), max(end_ns), NULL, 1001, 1003, 255 FROM calls;
        INSERT INTO nvtx_ranges SELECT id + 1, 1, thread_id, start_ns, end_ns, thread_id, 1002, NULL, NULL FROM calls
          WHERE site_id IN (SELECT site_id FROM frames WHERE line = 26);"""], check=True)
    check(numbers("--nvtx=epoch", trace) == [1, 2] and numbers("--nvtx=train:EPOCH ?", trace) == [1, 2], "--nvtx")
    check(numbers("--nvtx=evil", trace) == [1] and numbers("--nvtx=train:=EVIL", trace) == [], "--nvtx of one")
    expected = {1: {"name": "=EVIL(1)", "domain": None}, 2: {"name": "epoch 1", "domain": "train"}}
    for one in json.loads(report("json", trace))["findings"]:
        check(all(row["nvtx_range"] == expected[one["number"]] for row in one["evidence"]), f"ranges of {one}")
    plain = report("text", "--nvtx=epoch", os.path.join(RECORDINGS, "pageable_copy.db"))
    check("the trace has no NVTX ranges" in re.sub(r"\s+", " ", plain), "a trace without ranges does not say so")
    text = re.sub(r"\s+", " ", report("text", trace))
    check('in NVTX range "=EVIL(1)"' in text and 'in NVTX range "train:epoch 1"' in text, "ranges in the text")
    cells = [row["nvtx_range"] for row in csv.DictReader(io.StringIO(report("csv", trace)))]
    check(cells == ["'=EVIL(1)", "train:epoch 1"], f"ranges in the rows: {cells}")


def check_explained():
    """Each finding has all parts, on lines that fit, code included."""
    ids = [line.split()[0] for line in run("explain").splitlines() if not line.startswith(" ")]
    sources = os.listdir(os.path.join(SOURCE, "analyzer", "detectors", "explained"))
    check(sorted(one.replace("-", "_") + ".txt" for one in ids if one != "race") ==
          sorted(name for name in sources if name.endswith(".txt")), f"explained/ is not of {ids}")
    check(all(run("explain", one) == run("explain", "race") for one in ["race-possible", "luck"]), "explain luck")
    for one in ids:
        text = run("explain", one)
        parts = re.findall(r"^[A-Z].*$", text, re.M)
        check(parts == ["What", "Why it costs", "How it is recognized", "What counts as its cost",
                        "What else looks like it", "In C", "In Python", "Fixes", "Samples"], f"{one}: {parts}")
        check(all(len(line) <= 80 for line in text.splitlines()), f"{one}: a line is too long")
        check(text.split() == run("explain", one, COLUMNS="100").split(), f"{one}: a word is broken")
        check(not re.search(r"\bCuda[A-Z]", text), f"{one}: a name of CUDA's begins with a capital letter")
        check(all(f"  {name}:" in text for name in ["C", "PyTorch", "CuPy", "JAX"]), f"{one}: a fix is missing")
        for sample in re.findall(r"samples/(\w+)\.cu", text):
            check(os.path.exists(os.path.join(SOURCE, "samples", sample + ".cu")), f"{one}: no sample {sample}")


def check_framework_page():
    """It has a row for each finding."""
    ids = [line.split()[0] for line in run("explain").splitlines() if not line.startswith(" ")]
    with open(os.path.join(SOURCE, "docs", "use", "python.md")) as file:
        cells = [line.split("|")[1] for line in file if line.startswith("| `")]
    named = re.findall(r"`([a-z-]+)`", " ".join(cells))
    check(sorted(named) == sorted(ids), f"docs/use/python.md: findings {named}")


def check_files(folder):
    trace = os.path.join(folder, "trace.db")
    shutil.copy(os.path.join(RECORDINGS, "pageable_copy.db"), trace)
    for format in ["text", "json", "md", "csv"]:
        file = os.path.join(folder, "report." + format)
        check(report(format, "-o", file, trace) == "", f"{format}: written to both")
        check(open(file, newline="").read() == report(format, trace), f"{format}: not the same in a file")
    report("text", "-o", os.path.join(folder, "no", "such"), trace, status=3)
    before = open(trace, "rb").read()
    report("text", "-o", trace, trace, status=2)
    report("text", "-o", trace, os.path.join(RECORDINGS, "wide_sync.db"), status=2)
    check(open(trace, "rb").read() == before, "the report replaced its trace")


def check_runs_of_a_page(folder):
    """With all fixes, then with each alone; what a later pass found is behind those of the passes before."""
    trace = os.path.join(folder, "passes.db")
    texts = [open(os.path.join(SOURCE, *path.split("/"))).read() for path in (
        "preload/schema.sql", "tests/support/prelude.sql", "tests/detectors/passes/bound.sql")]
    subprocess.run([SQL, trace], input="\n".join(texts).split("-- Found:")[0], text=True, check=True)
    passes = [one["look"] for one in json.loads(report("json", "--all", trace))["findings"]]
    check(passes == [1, 1, 2], f"findings of the passes {passes}")
    page = report("html", "--all", trace)
    block, offset, size = json.loads(re.search(r'"runs":(\[[0-9,]*\])', page)[1])
    packed = re.search(rf'<script type="text/plain" id="b{block}">([^<]*)', page)[1]
    runs = json.loads(zlib.decompress(base64.b64decode(packed))[offset:offset + size])
    fixes = [run.get("fixes") for run in runs]
    check(fixes == [None, [1, 2, 3], [1], [2]], f"the runs of a page have the fixes {fixes}")
    check([run.get("of") for run in runs] == [None, 3, 1, 2], "a page's runs are of other findings")


def check_host_lines(folder):
    trace = os.path.join(folder, "host.db")
    texts = [open(os.path.join(SOURCE, path)).read() for path in ("preload/schema.sql", "tests/cli/host.sql")]
    subprocess.run([SQL, trace], input="\n".join(texts), text=True, check=True)
    check_json([trace, trace])
    shown = re.search(r"GPU idle because: ([^<]*)", report("html", trace))
    check(shown and not re.search(r"\d %", shown[1]), "a line of a page may break before a % sign")
    check(shown and f"idle because: {html.unescape(shown[1])}".replace("\xa0", " ") in " ".join(report("text", trace).split()),
          "a page says why the GPU was idle in other words")


def main():
    recordings = sorted(os.path.join(RECORDINGS, name) for name in os.listdir(RECORDINGS) if name.endswith(".db"))
    broken = [path for path in recordings if not path.endswith(".fixed.db")]
    check_json([os.path.join(RECORDINGS, "pageable_copy.db"), *broken[:3], *recordings[-2:]])
    check_gate_json()
    check_first_screen(broken)
    check_figures_of_csv(os.path.join(RECORDINGS, "pageable_copy.db"))
    with tempfile.TemporaryDirectory() as folder:
        check_problems(folder)
        check_terms(folder)
        check_hostile(folder)
        check_files(folder)
        check_source(folder)
        check_long_names(folder)
        check_deep_name(folder)
        check_job(folder)
        check_ranges(folder)
        check_runs_of_a_page(folder)
        check_host_lines(folder)
    check_processes()
    check_color()
    check_filters()
    check_explained()
    check_framework_page()
    return 1 if failures else 0


sys.exit(main())
