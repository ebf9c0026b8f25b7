#!/usr/bin/python3
"""The commands for programs in watch mode, on pages made by hand: watch_test.py STREAMTRACE ROOT

A program is `sleep`, with its page open. Exit status: 0 all is well, 1 something is not, which is printed.
"""
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

STREAMTRACE, ROOT = os.path.abspath(sys.argv[1]), sys.argv[2]
PAGE = struct.Struct("<2IQiIQ64s64s16s2q4Qq2I2QQ2q2q96Q2QQq256s16s128sQ")  # struct watch_page
FIELDS = ("version size begun pid state process_start program host rank began_ns updated_ns calls losses queue_bytes queue_ns "
          "tool_ns steps_by triggers_seen steps slow_steps steps_ns step_ns longest_ns median_ns step_began_ns").split()
BEHIND = "incidents left_out trace_bytes incident_ns incident cause error ended".split()
WATCHING, RECORDING, BOUND, NO_DISK, STOPPED = range(5)
S = 1000000000
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print("FAILED:", what)


class Program:
    """A process with a page, until it is closed."""

    def __init__(self, folder, name, **fields):
        self.path = os.path.join(folder, name + ".watch")
        with open(self.path, "wb"):
            pass
        file = os.open(self.path, os.O_RDWR)
        self.process = subprocess.Popen(["sleep", "300"], pass_fds=[file])
        os.close(file)
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as text:
            start = int(text.read().rsplit(")", 1)[1].split()[19])
        now = time.time_ns()
        self.page = dict(version=1, size=PAGE.size, begun=1, pid=self.process.pid, state=WATCHING, process_start=start,
                         program=b"train.py", host=socket.gethostname().encode(), rank=b"", began_ns=now - 100 * S,
                         updated_ns=now, calls=1000, losses=0, queue_bytes=4096, queue_ns=S, tool_ns=S // 4, steps_by=1,
                         triggers_seen=0, steps=48213, slow_steps=3, steps_ns=99 * S, step_ns=S * 412 // 1000, longest_ns=2 * S,
                         median_ns=S * 410 // 1000, step_began_ns=now - S // 10, bins=[0] * 96, incidents=1, left_out=2,
                         trace_bytes=5000, incident_ns=now - 10 * S, incident=name.encode() + b".incident-1.db",
                         cause=b"slow-step", error=b"", ended=1)
        self.write(**fields)

    def write(self, **fields):
        self.page.update(fields)
        page = self.page
        with open(self.path, "r+b") as file:
            file.write(PAGE.pack(*(page[field] for field in FIELDS), *page["bins"], *(page[field] for field in BEHIND)))

    def close(self):
        self.process.kill()
        self.process.wait()


def run(*arguments, status=0, **options):
    os.umask(0o22)
    done = subprocess.run([STREAMTRACE, *arguments], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "400"}, **options)
    check(done.returncode == status, f"{arguments}: status {done.returncode}: {done.stderr}")
    return done.stdout if not status else done.stderr


def says(text, *arguments, status=3):
    errors = run(*arguments, status=status)
    check(errors == f"streamtrace: {text}\n", f"{arguments}:\n  {errors}  streamtrace: {text}")


def check_table(folder):
    first = Program(folder, "rank.1", rank=b"1")
    second = Program(folder, "rank.0", rank=b"0", state=BOUND, error=b"4 incidents an hour", median_ns=0, steps_by=0, left_out=0)
    lines = run("watch", "--once", folder).splitlines()
    check(lines[0].split() == ["rank", "program", "process", "steps", "last", "median", "running", "GPU", "incidents", "cost",
                               "state"], lines[0])
    check(re.fullmatch(rf" *0  train.py +{second.process.pid} +- +412 ms +- +100 ms +- +1 +0.2 %  watching; the next incident is left "
                       "out: 4 incidents an hour *", lines[1]), lines[1])
    check(re.fullmatch(rf" *1  train.py +{first.process.pid} +48,213 +412 ms +410 ms +100 ms +- +1\+2 +0.2 %  watching; last incident: "
                       r"rank.1.incident-1.db \(slow-step\) *", lines[2]), lines[2])
    check(len(run("watch", "--once", cwd=folder).splitlines()) == 3, "the current folder")
    check(len(run("watch", "--once", str(first.process.pid)).splitlines()) == 2, "one process")
    with subprocess.Popen([STREAMTRACE, "watch", str(first.process.pid)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as watch:
        line = watch.stdout.readline()
        check(re.fullmatch(rf"\d+-\d+-\d+T\d+:\d+:\d+Z rank 1 train.py {first.process.pid}: 48,213 steps, last 412 ms, .*\n", line),
              line)
        first.close()
        rest, errors = watch.communicate(timeout=30)
        check((watch.returncode, rest, errors) == (0, "", "streamtrace: all programs have ended\n"), f"{rest} {errors}")
    lines = run("watch", "--once", folder).splitlines()
    check(lines[2].rstrip().endswith("has ended without its last word: killed?"), lines[2])
    second.close()
    says(f"{folder}/rank.0.watch: its process {second.process.pid} has ended", "watch", folder)
    return first


def check_metrics(folder):
    file = os.path.join(folder, "streamtrace.prom")
    bins = [0] * 96
    bins[3], bins[50], bins[95] = 2, 5, 1
    program = Program(folder, 'odd', program=b'a"b\\c', bins=bins)
    run("watch", "--once", f"--metrics={file}", folder)
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    labels = 'program="a\\"b\\\\c",host="%s",pid="%d",rank=""' % (socket.gethostname(), program.process.pid)
    for series in ("up{%s} 1", "steps_total{%s} 48213", "slow_steps_total{%s} 3", "incidents_left_out_total{%s} 2",
                   "tool_seconds_total{%s} 0.250000000", "step_median_seconds{%s} 0.410000000", "step_seconds_sum{%s} 99.000000000",
                   "step_seconds_count{%s} 8", 'step_seconds_bucket{%s,le="3.2768e-05"} 2', 'step_seconds_bucket{%s,le="+Inf"} 8'):
        check("\nstreamtrace_" + series % labels + "\n" in text, f"no {series % labels} in {text}")
    check('le="137.438953"} 7' in text and 'le="274' not in text, f"the last bin has longer times, too: {text}")
    for line in text.splitlines():
        check(re.fullmatch(r'# .*|[a-z_]+\{([a-z]+="([^"\\]|\\.)*",?)+\} [-+.0-9e]+', line), line)
    names = re.findall("# TYPE (\\S+)", text)
    check(len(names) == len(set(names)), names)
    check(os.stat(file).st_mode & 0o777 == 0o644, "node_exporter cannot read it")
    run("watch", "--once", f"--metrics={file}", folder)
    for content in (b"own notes\n", b"# HELP other_total x\n"):
        with open(file, "wb") as opened:
            opened.write(content)
        says(f"{file}: is no file of streamtrace watch --metrics, and stays", "watch", "--once", f"--metrics={file}", folder)
        with open(file, "rb") as opened:
            check(opened.read() == content, "a file that is not ours was replaced")
    missing = os.path.join(folder, "missing", "x.prom")
    check("No such file" in run("watch", "--once", f"--metrics={missing}", folder, status=3), "a folder that is missing")
    # A service waits for programs.
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    own = os.path.join(folder, "own.prom")
    with subprocess.Popen([STREAMTRACE, "watch", f"--metrics={own}", empty], stdout=subprocess.DEVNULL) as watch:
        for _ in range(300):
            if os.path.exists(own):
                break
            time.sleep(0.1)
        check(os.path.exists(own) and watch.poll() is None, "it does not wait")
        watch.terminate()
    program.close()


def answer(program, **fields):
    """What the library does."""
    trigger = program.path.replace(".watch", ".trigger")
    for _ in range(300):
        if os.path.exists(trigger):
            os.remove(trigger)
            program.write(triggers_seen=1)
            time.sleep(0.3)
            program.write(**fields)
            return
        time.sleep(0.05)


def check_trigger(folder):
    for fields, status, text in (
            ({"incidents": 2, "incident": b"app.incident-2.db"}, 0, f"wrote {folder}/app.incident-2.db"),
            ({"left_out": 3, "error": b"4 incidents an hour"}, 3, "%d: no incident was written: 4 incidents an hour")):
        program = Program(folder, "app")
        library = threading.Thread(target=answer, args=(program,), kwargs=fields)
        library.start()
        done = subprocess.run([STREAMTRACE, "trigger", str(program.process.pid)], capture_output=True, text=True, timeout=60,
                              check=False)
        library.join()
        expected = "streamtrace: " + (text % program.process.pid if "%" in text else text) + "\n"
        check((done.returncode, done.stderr) == (status, expected), f"{done}\n{expected}")
        program.close()
    program = Program(folder, "app", state=STOPPED, error=b"disk full")
    says(f"{program.process.pid}: watching has stopped: disk full", "trigger", str(program.process.pid))
    check(not os.path.exists(program.path.replace(".watch", ".trigger")), "a trigger that nobody reads")
    own = program.path.replace(".watch", ".trigger")
    with open(own, "w", encoding="utf-8") as file:
        file.write("mine")
    program.write(state=WATCHING)
    says(f"{own}: File exists", "trigger", str(program.process.pid))
    check(os.path.getsize(own) == 4, "a file of the user's is emptied")
    os.remove(own)
    program.write(state=WATCHING)
    says(f"{program.process.pid}: the program does not answer: it is stopped perhaps, and makes the incident when it goes on",
         "trigger", str(program.process.pid))
    program.close()


def check_refusals(folder, ended):
    says(f"{ended.process.pid}: no such process", "watch", str(ended.process.pid))
    says(f"{ended.process.pid}: no such process", "trigger", str(ended.process.pid))
    says(f"{os.getpid()}: is not in watch mode (streamtrace run --watch)", "watch", str(os.getpid()))
    says(f"{os.getpid()}: is not in watch mode (streamtrace run --watch)", "trigger", str(os.getpid()))
    says("app: is no process's number", "trigger", "app", status=2)
    says("/nonexistent: No such file or directory", "watch", "/nonexistent")
    nothing = os.path.join(folder, "nothing")
    os.mkdir(nothing)
    says(f"{nothing}: no program in watch mode writes there (streamtrace run --watch)", "watch", nothing)
    for name, content in (("short", b"x"), ("empty", b""), ("other", b"\0" * PAGE.size)):
        with open(os.path.join(nothing, name + ".watch"), "wb") as file:
            file.write(content)
    os.mkfifo(os.path.join(nothing, "pipe.watch"))
    says(f"{nothing}: no program in watch mode writes there (streamtrace run --watch)", "watch", nothing)
    torn = Program(nothing, "torn", begun=2, ended=1)
    says(f"{nothing}: no program in watch mode writes there (streamtrace run --watch)", "watch", nothing)
    torn.write(begun=2, ended=2, program=b"\x1b[31mred" + b"\xff" * 57, incident=b"\n" * 256, cause=b"x" * 16)
    text = run("watch", "--once", nothing)
    check("\x1b" not in text and len(text.splitlines()) == 2, repr(text))
    for option in ("--steps=1:2", "--races", "--first-use"):
        says(f"run --watch records no {option.split('=')[0]}", "run", "--watch", option, "true", status=2)
    torn.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("table", "metrics", "trigger", "refusals"):
            os.mkdir(os.path.join(folder, name))
        ended = check_table(os.path.join(folder, "table"))
        check_metrics(os.path.join(folder, "metrics"))
        check_trigger(os.path.join(folder, "trigger"))
        check_refusals(os.path.join(folder, "refusals"), ended)
    return 1 if failures else 0


sys.exit(main())
