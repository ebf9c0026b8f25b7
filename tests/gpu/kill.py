"""Kills a traced program at random moments and checks what its trace contains.

    kill.py BUILD [KILLS [SEED]]

Half of the kills come 150 to 1500 ms after the start, which takes CUDA a good part of that; half come
1 to 2.5 s after the program's first report, when there is something older than a second to lose. What
the program reported more than a second before its kill must be there, calls and operations; the file
must open and pass its integrity check. A kill before the first report may leave no file. Prints the
figures; exit status 1 when a kill broke that, or when no kill had anything to lose.
"""
import concurrent.futures
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

KEPT_NS = 1_000_000_000  # older than this must be there
AT_A_TIME = 5
START_LIMIT_S = 60  # for a first report

REPORT = re.compile(rb"made (\d+) at (\d+)\n")


class Kill:
    """One run of the program, killed and checked."""

    def __init__(self, build, folder, number, seed):
        self.build = build
        self.trace = os.path.join(folder, f"{number}.db")
        self.random = random.Random(f"{seed} {number}")
        self.is_late = number % 2 == 1
        self.reports = []
        self.problems = []
        self.is_there = self.is_open = self.is_sound = self.had_to_keep = False
        self.call_age_ms = self.operation_age_ms = None

    def read_reports(self, stdout, first):
        for line in stdout:
            match = REPORT.fullmatch(line)  # a line that the kill cut short does not count
            if match:
                self.reports.append((int(match[1]), int(match[2])))
                first.set()
        first.set()  # or there will be none

    def run(self):
        environment = dict(
            os.environ,
            LD_PRELOAD=os.path.join(self.build, "lib/libstrace.so"),
            STREAMTRACE_OUTPUT=self.trace,
        )
        target = os.path.join(self.build, "bin/tests/kill_target")
        first = threading.Event()
        with subprocess.Popen([target], env=environment, stdout=subprocess.PIPE) as process:
            reader = threading.Thread(target=self.read_reports, args=(process.stdout, first))
            reader.start()
            try:
                if self.is_late:
                    first.wait(START_LIMIT_S)
                time.sleep(self.random.uniform(*((1.0, 2.5) if self.is_late else (0.15, 1.5))))
                if process.poll() is not None:
                    self.problems.append(f"ended by itself: {process.returncode}")
                self.killed_ns = time.clock_gettime_ns(time.CLOCK_REALTIME)
            finally:
                process.send_signal(signal.SIGKILL)
                process.wait()
                reader.join()
        return self

    def age_ms(self, end_ns):
        return None if end_ns is None else (self.killed_ns - end_ns) / 1e6

    def examine(self):
        if self.is_late and not self.reports:
            self.problems.append("no report from the program")
        must_have = max((n for n, at in self.reports if at < self.killed_ns - KEPT_NS), default=0)
        self.had_to_keep = must_have > 0
        self.is_there = os.path.exists(self.trace)
        if not self.is_there:
            if must_have:
                self.problems.append(f"no file, {must_have} rounds lost")
            return
        try:
            trace = sqlite3.connect(self.trace)
            self.check(trace, must_have)
            trace.close()
        except sqlite3.Error as error:
            self.problems.append(f"the file does not open: {error}")

    def check(self, trace, must_have):
        def value(sql):
            return trace.execute(sql).fetchone()[0]

        found = value("PRAGMA integrity_check")
        self.is_open = True
        self.is_sound = found == "ok"
        if not self.is_sound:
            self.problems.append(f"integrity: {found}")
        if not must_have:
            return
        trace.close()
        subprocess.run([os.path.join(self.build, "bin/streamtrace"), "unpack", self.trace], check=True,
                       stdout=subprocess.DEVNULL)
        trace = sqlite3.connect(self.trace)
        calls = "SELECT count(*) FROM named_calls WHERE class = '%s'"
        operations = "SELECT count(*) FROM operations WHERE kind = %d"
        for what, sql in (
            ("launches", calls % "launch"),
            ("copy calls", calls % "copy"),
            ("kernels", operations % 1),
            ("copies", operations % 2),
        ):
            if value(sql) < must_have:
                self.problems.append(f"{value(sql)} {what} of {must_have}")
        self.call_age_ms = self.age_ms(value("SELECT max(end_ns) FROM calls"))
        self.operation_age_ms = self.age_ms(value("SELECT max(end_ns) FROM operations"))
        trace.close()


def worst(ages):
    known = [age for age in ages if age is not None]
    return f"{max(known):.0f} ms" if known else "none seen"


def main(arguments):
    build = os.path.abspath(arguments[0])
    count = int(arguments[1]) if len(arguments) > 1 else 100
    seed = int(arguments[2]) if len(arguments) > 2 else random.SystemRandom().randrange(1 << 32)
    with tempfile.TemporaryDirectory() as folder:
        kills = [Kill(build, folder, number, seed) for number in range(count)]
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            list(pool.map(Kill.run, kills))
        for kill in kills:
            kill.examine()
    for number, kill in enumerate(kills):
        for problem in kill.problems:
            print(f"kill {number}: {problem}")
    kept = sum(kill.had_to_keep for kill in kills)
    print(f"seed {seed}")
    print(f"kills {count}, of these with something older than 1 s to keep {kept}")
    print(
        f"files {sum(kill.is_there for kill in kills)},"
        f" opened {sum(kill.is_open for kill in kills)},"
        f" integrity ok {sum(kill.is_sound for kill in kills)}"
    )
    print(f"worst age of the newest call {worst(k.call_age_ms for k in kills)}")
    print(f"worst age of the newest operation {worst(k.operation_age_ms for k in kills)}")
    return 1 if not kept or any(kill.problems for kill in kills) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
