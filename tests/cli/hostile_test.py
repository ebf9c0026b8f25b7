#!/usr/bin/python3
"""Texts that somebody else chose, through every output: hostile_test.py STREAMTRACE SOURCE_DIR SQL

Names in traces and summaries, names of files and folders, options, lists, and what errors quote of a
damaged file: nothing that steers a terminal, hides or turns a text, or is not UTF-8 is printed, nothing of a table
is a formula. SQL: the command-line program of SQLite.
"""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata

STREAMTRACE, SOURCE, SQL = map(os.path.abspath, sys.argv[1:])
RECORDING = os.path.join(SOURCE, "samples", "recordings", "pageable_copy.db")

# Controls of one byte and of two, the same raw; what turns the direction; ends of lines; what is not seen; no UTF-8.
TEXTS = [b"\x1b[31mred", b"\x1b]0;title\x07", b"\x9b31m", b"\xc2\x9b31m", b"\xc2\x85", b"\x7f", b"\x08\x08", b"a\rb",
         b"a\tb", b"\x0b\x0c", b"\xe2\x80\xaegnp", b"\xe2\x80\xaa\xe2\x80\xac", b"\xe2\x81\xa6\xe2\x81\xa9",
         b"\xe2\x80\x8e\xe2\x80\x8f", b"\xd8\x9c", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xe2\x80\x8b", b"\xe2\x81\xa0",
         b"\xef\xbb\xbf", b"\xf3\xa0\x81\x81", b"\xff\xfe", b"\xc3", b"\xe2\x80", b"\xc0\xaf", b"\xe0\x80\xaf",
         b"\xed\xa0\x80\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xef\xbf\xbe", b"\xef\xb7\x90",
         b"\xf0\x9f\xbf\xbf"]
HOSTILE = b"EVIL" + b"|".join(TEXTS)
# A spreadsheet's, behind blanks and in full-width signs, too.
FORMULAS = ["=1+1", "+1", "-1+1", "@SUM(1)", " =1+1", "\t=1", "  \u00a0+1", "\u3000=1", "\uff1d1+1", "\uff0b1", "\uff0d1",
            "\uff201", " \uff1d1"]
failures = 0


def formats_of(command):
    """As the command's help lists them: those of reports that jobs have stand first."""
    shown = subprocess.run([STREAMTRACE, command, "--help"], capture_output=True, text=True, check=True).stdout
    return re.search(r"--format=(\S+)", shown)[1].split("|")


TEXT_FORMATS, GATE_FORMATS = formats_of("report"), formats_of("check")


def check(condition, text):
    global failures
    if not condition:
        print(f"hostile: {text}")
        failures += 1


def is_harmful(char):
    kind = unicodedata.category(char)
    return kind in ("Cc", "Cn", "Cs", "Zl", "Zp") or (kind == "Cf" and char not in "\u200c\u200d\u00ad") or (
        0xfdd0 <= ord(char) <= 0xfdef or ord(char) & 0xfffe == 0xfffe)


def check_safe(what, data, blanks=""):
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        check(False, f"{what}: not UTF-8: {data[max(0, error.start - 40):error.end + 20]}")
        return ""
    found = next((i for i, char in enumerate(text) if char != "\n" and char not in blanks and is_harmful(char)), None)
    check(found is None, f"{what}: {text[max(0, (found or 0) - 40):(found or 0) + 20]!r}")
    return text


def run(*arguments, status=None, shows=True, blanks=""):
    """What is printed; shows: whether the hostile name must be in it, or in the errors."""
    done = subprocess.run([STREAMTRACE, *arguments], capture_output=True, timeout=300,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "", "XDG_CACHE_HOME": "/nonexistent"})
    what = " ".join(ascii(one) for one in arguments)
    check(status is None or done.returncode == status, f"{what}: status {done.returncode}: {done.stderr}")
    check(done.returncode in (0, 1, 2, 3, 4, 126, 127), f"{what}: status {done.returncode}: {done.stderr}")
    check_safe(f"{what}: errors", done.stderr)
    text = check_safe(what, done.stdout, blanks)
    check(not shows or b"EVIL" in done.stdout + done.stderr, f"{what}: the hostile name is not there")
    return text


def has_names(format):
    """Problems are those whose line is known, which these have not."""
    return format != "problems"


def blanks_of(format):
    return {"csv": "\r", "html": "\t"}.get(format, "")


def change(database, sql):
    subprocess.run([SQL, database, sql], check=True)


def text_of(value):
    return f"CAST(x'{value.hex()}' AS TEXT)"


def make_trace(path, name, rank=None):
    shutil.copy(RECORDING, path)
    name = text_of(name)
    change(path, f"""UPDATE frames SET file = '/' || {name}, function = {name}, line = NULL WHERE depth = 0;
        UPDATE modules SET path = {name}; UPDATE strings SET text = {name} || id; UPDATE devices SET name = {name};
        UPDATE threads SET name = {name}; UPDATE functions SET name = {name} || id WHERE class = 'other';
        UPDATE metadata SET value = {name} WHERE key IN ('program', 'command_line', 'working_directory', 'driver_version');
        INSERT INTO losses (kind, count, time_ns, detail) VALUES ('ring-overflow', 1, 1, {name});
        INSERT OR REPLACE INTO metadata VALUES ('host', {name}), ('run', {name}), ('cupti', {name})""")
    if rank is not None:
        change(path, f"INSERT OR REPLACE INTO metadata VALUES ('rank', {rank}), ('ranks', 2), ('process_id', {100 + rank})")


def check_one(folder):
    trace = os.path.join(folder, "trace.db")
    make_trace(trace, HOSTILE)
    for format in TEXT_FORMATS:
        run("report", "--no-measure", "--all", f"--format={format}", trace, status=0, shows=has_names(format),
            blanks=blanks_of(format))
    run("info", trace, status=0)
    for command in (["check", trace], ["diff", trace, trace]):
        for format in GATE_FORMATS:
            run(command[0], f"--format={format}", "--no-measure", *command[1:], blanks=blanks_of(format), shows=command[0] == "check")
    run("whatif", "--no-measure", "--apply=1", trace, status=0)
    for format in ["csv", "kineto"]:
        file = os.path.join(folder, "export." + format)
        run("export", "--format=" + format, "-o", file, trace, status=0, shows=False)
        with open(file, "rb") as opened:
            check("EVIL" in check_safe(f"export {format}", opened.read(), blanks_of(format)), f"export {format}")


def check_host(folder):
    """Lines of the host, and their stacks."""
    trace = os.path.join(folder, "host.db")
    texts = [open(os.path.join(SOURCE, path), encoding="utf-8").read() for path in ("preload/schema.sql", "tests/cli/host.sql")]
    subprocess.run([SQL, trace], input="\n".join(texts), text=True, check=True)
    name = text_of(HOSTILE + b";")
    change(trace, f"""UPDATE python_frames SET file = '/' || {name}, function = {name}; UPDATE modules SET path = '/' || {name};
        UPDATE threads SET name = {name}; UPDATE strings SET text = {name} || id;
        UPDATE metadata SET value = {name} WHERE key IN ('program', 'command_line')""")
    for format in ("text", "json", "md", "csv"):
        text = run("report", "--no-measure", "--host", f"--format={format}", trace, status=0, blanks=blanks_of(format))
        if format == "md":
            rows = [line for line in text.splitlines() if line.startswith("|")]
            check(len(rows) > 3 and {line.count("|") for line in rows} == {8}, f"cells of md: {rows}")
    for line in run("export", "--format=collapsed", trace, status=0).splitlines():
        check(re.fullmatch("[^;]+(;[^;]+)* [0-9]+", line) and len(line.split(";")) < 8, f"frames: {line}")


def check_incident(folder):
    """What the watch mode noticed: a step, and a call that hangs."""
    trace = os.path.join(folder, "watch.incident-1.db")
    texts = [open(os.path.join(SOURCE, path), encoding="utf-8").read() for path in
             ("preload/schema.sql", "tests/support/prelude.sql", "tests/cli/incident.sql", "tests/cli/incident_after.sql")]
    step = """INSERT INTO extra VALUES (1000); INSERT INTO work VALUES (200, 1000); INSERT INTO wait VALUES (1204.5, 1209.5);
        INSERT INTO host_state VALUES (100, 'waiting for input', 103, 204, 1204, 0, 0, 'file');"""
    subprocess.run([SQL, trace], input="\n".join([*texts[:3], step, texts[3]]), text=True, check=True)
    name = text_of(HOSTILE)
    change(trace, f"""UPDATE python_frames SET file = '/' || {name}, function = {name}; UPDATE modules SET path = '/' || {name};
        UPDATE frames SET file = '/' || {name}, function = {name}; UPDATE strings SET text = {name} || id;
        UPDATE functions SET name = {name} || id; UPDATE metadata SET value = {name} WHERE key = 'program'""")
    for hang in ("", "UPDATE incidents SET cause = 'hang', thread_id = 100, function_id = 4, entered_ns = 1200000000, site_id = 12",
                 f"UPDATE incidents SET cause = {name}, step = NULL"):
        change(trace, hang)
        for format in ("text", "json", "md"):
            run("report", "--no-measure", f"--format={format}", trace, status=0, blanks=blanks_of(format))


def check_job(folder):
    job = os.path.join(folder, "job")
    os.mkdir(job)
    for rank in range(2):
        make_trace(os.path.join(job, f"rank.{rank}.db"), HOSTILE, rank)
    for format in TEXT_FORMATS:
        run("report", "--all", f"--format={format}", job, status=0, shows=has_names(format), blanks=blanks_of(format))
    run("summarize", job, status=0, shows=False)
    for format in TEXT_FORMATS[:4]:
        run("report", "--all", f"--format={format}", os.path.join(job, "rank.0.summary.db"),
            os.path.join(job, "rank.1.summary.db"), status=0, blanks=blanks_of(format))
    return job


def check_errors(folder, job):
    """What SQLite and we quote of files that are damaged: their schema, and values of a wrong type."""
    name = HOSTILE.replace(b"|", b" ")
    changes = {
        "schema": f"""PRAGMA writable_schema = ON; UPDATE sqlite_schema SET name = {text_of(name)}, sql = 'CREATE TABLE '
            || {text_of(name)} WHERE name = 'metadata'""",
        "column": f"""PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE metadata (' || {text_of(name)}
            || ' TEXT DEFAULT (' WHERE name = 'metadata'""",
        "view": f"""DROP TABLE metadata; PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES
            ('view', 'metadata', 'metadata', 0, 'CREATE VIEW metadata AS SELECT * FROM "' || {text_of(name)} || '"')""",
    }
    for what, sql in changes.items():
        broken = os.path.join(folder, "broken." + what)
        os.mkdir(broken)
        shutil.copy(os.path.join(job, "rank.0.db"), broken)
        shutil.copy(os.path.join(job, "rank.1.summary.db"), broken)
        for file in os.listdir(broken):
            change(os.path.join(broken, file), sql)
        shutil.copy(os.path.join(job, "rank.0.db"), os.path.join(broken, "whole.db"))
        shows = what == "schema"
        for format in TEXT_FORMATS[:4]:
            run("report", f"--format={format}", broken, status=3, shows=shows, blanks=blanks_of(format))
        for command in ["info", "check", "report", "summarize"]:
            run(command, os.path.join(broken, "rank.0.db"), status=3, shows=shows)
        run("unpack", os.path.join(broken, "rank.0.db"), shows=shows)
        run("report", os.path.join(broken, "rank.1.summary.db"), status=3, shows=shows)


def check_files(folder):
    """Names of files and of folders, of options and what they take, of lists and what is in them."""
    trace = os.path.join(folder, "trace.db")
    for text in (HOSTILE[:100], b"EVIL" + b"|".join(TEXTS[10:])[:150], b"EVIL" + b"|".join(TEXTS[20:])):
        odd = os.path.join(os.fsencode(folder), text)
        os.mkdir(odd)
        shutil.copy(os.path.join(folder, "job", "rank.0.db"), os.path.join(odd, text + b".db"))
        shutil.copy(os.path.join(folder, "job", "rank.1.db"), os.path.join(odd, text + b"1.db"))
        with open(os.path.join(odd, b"notes.db"), "w") as file:
            file.write("no trace")
        for format in TEXT_FORMATS:
            run("report", f"--format={format}", odd, blanks=blanks_of(format))
        for name in [b"missing.db", b"notes.db"]:
            for command in ["info", "check", "summarize", "unpack", "explain", "help", "run"]:
                run(command, os.path.join(odd, name))
            run("diff", trace, os.path.join(odd, name))
            run("whatif", "--apply=1", os.path.join(odd, name))
            run("export", "--format=csv", "-o", os.path.join(folder, "x"), os.path.join(odd, name))
        for option in [b"--format=", b"--deny=", b"--max-lost=", b"--allow=", b"--top=", b"--time=", b"--min=", b"-o", b"--"]:
            for command in ["report", "check", "export", "run"]:
                run(command, option + text, trace, shows=False)
        # A trace's path is a command, too.
        run(text, status=3 if os.path.exists(text) else 2)
        allowed = os.path.join(folder, "allowed")
        for line in (text + b" a.cu -- why", b"pageable-copy " + text + b" -- " + text, b"pageable-copy " + text):
            with open(allowed, "wb") as file:
                file.write(line.replace(b"\n", b""))
            for format in GATE_FORMATS:
                run("check", f"--format={format}", f"--allow={allowed}", trace, shows=False)


def check_endless(folder):
    """A list that never ends is not read for ever; a pipe is a list as a file is."""
    trace = os.path.join(folder, "trace.db")
    run("check", "--allow=/dev/zero", trace, status=3, shows=False)
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    for text, status in [("pageable-copy * -- known\n" * 20000, 0), ("#" * 1000001, 3)]:
        writer = subprocess.Popen(["sh", "-c", 'cat >"$1"', "sh", pipe], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        reader = subprocess.Popen([STREAMTRACE, "check", "--no-measure", "--deny=pageable-copy", f"--allow={pipe}", RECORDING],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            writer.communicate(text.encode())
        except BrokenPipeError:
            pass
        errors = reader.communicate()[1]
        check(reader.returncode == status, f"a list of {len(text)} bytes through a pipe: {reader.returncode} {errors}")
    with open(os.path.join(folder, "zero"), "wb") as file:
        file.write(b"pageable-copy a.cu -- why\n\0")
    run("check", "--allow=" + file.name, trace, status=3, shows=False)


def is_formula(cell):
    return re.match(r"[\s\u3000\u00a0]*[=+@\uff1d\uff0b\uff20\uff0d]|[\s\u3000\u00a0]*-(?![0-9.]+$)", cell)


def check_formulas(folder):
    for number, formula in enumerate(FORMULAS):
        places = os.path.join(folder, f"formula{number}")
        os.mkdir(places)
        for rank in range(2):
            make_trace(os.path.join(places, f"{rank}.db"), formula.encode(), rank)
            change(os.path.join(places, f"{rank}.db"), f"""UPDATE frames SET file = {text_of(formula.encode())}, line = 7;
                UPDATE metadata SET value = '/' WHERE key = 'working_directory'""")
        exported = os.path.join(folder, "formula.csv")
        run("export", "--format=csv", "-o", exported, os.path.join(places, "0.db"), status=0, shows=False)
        with open(exported, newline="") as file:
            texts = [file.read()]
        for traces in ([places], ["--each", places]):
            texts.append(run("report", "--format=csv", "--no-measure", *traces, status=0, shows=False, blanks="\r"))
        for text in texts:
            cells = [cell for row in csv.reader(io.StringIO(text, newline=""), strict=True) for cell in row]
            check(any(formula.strip("\t") in cell for cell in cells), f"{formula!r} is in no cell")
            check(not any(is_formula(cell) for cell in cells), f"{formula!r}: {[cell for cell in cells if is_formula(cell)]}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # -o takes hostile names
        check_one(folder)
        check_host(folder)
        check_incident(folder)
        job = check_job(folder)
        check_errors(folder, job)
        check_files(folder)
        check_formulas(folder)
        check_endless(folder)
    return 1 if failures else 0


sys.exit(main())
