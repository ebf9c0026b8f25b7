#!/usr/bin/python3
"""What is lost where a program makes calls as fast as it can: full_rate.py BUILD [THREADS...] [--seconds N]
                                                               [--operations N]

Runs full_rate_app, whose calls do nothing, with 8 and with 64 threads for 30 seconds each, traced, on the
processors that there are (taskset limits them). Then account_app with 8 threads on the stand-in for CUDA and
CUPTI: a million operations, of three million and more calls. Needs no GPU. Prints a row for each: calls and
operations made, of them dropped, the most memory that the process had (the program itself has 2 MB, with
operations what the stand-in keeps of them, too), bytes of the file an event, processor time of the writer thread
an event, and how long the exit took.
"""
import argparse
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile


def peak_bytes(command, environment):
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"full_rate.py: {command[0]} ended with status {status}")
    return output, usage.ru_maxrss * 1024


LOST = "SELECT coalesce(sum(count), 0) FROM losses WHERE kind IN ('ring-overflow', 'exit-timeout', 'cupti-discarded')"


def run(build, app, libraries, work, folder):
    """The output of app traced, the memory that it had, and its trace."""
    trace = os.path.join(folder, "trace.db")
    environment = dict(
        os.environ,
        LD_PRELOAD=str(build / "lib/libstrace.so"),
        LD_LIBRARY_PATH=str(build / "lib" / libraries),
        STREAMTRACE_OUTPUT=trace,
    )
    output, peak = peak_bytes([build / "bin/tests" / app, work], environment)
    return output, peak, trace


def read(trace, made, made_operations):
    database = sqlite3.connect(trace)

    def value(sql):
        return int(database.execute(sql).fetchone()[0])

    rows = value("SELECT count(*) FROM calls")
    calls = rows + value("SELECT coalesce(sum(calls), 0) FROM call_blocks")
    operations = value("SELECT count(*) FROM operations")
    operations += value("SELECT coalesce(sum(operations), 0) FROM operation_blocks")
    lost = value(LOST)
    if calls + operations + lost != made + made_operations:
        sys.exit(f"full_rate.py: of {made} calls and {made_operations} operations {calls} and {operations} are"
                 f" recorded and {lost} lost")
    cpu_ns = value("SELECT value FROM metadata WHERE key = 'tool_cpu_ns'")
    exit_ns = value("SELECT value FROM metadata WHERE key = 'tool_flush_ns'")
    database.close()
    return lost, cpu_ns, exit_ns


def measure(build, app, libraries, threads, work, seconds):
    with tempfile.TemporaryDirectory() as folder:
        output, peak, trace = run(build, app, libraries, work, folder)
        lines = [line.split() for line in output.splitlines() if line.startswith("made")]
        made = sum(int(words[3 if app == "account_app" else 2]) for words in lines)
        operations = sum(int(words[4]) for words in lines) if app == "account_app" else 0
        lost, cpu_ns, exit_ns = read(trace, made, operations)
        size = os.path.getsize(trace)
    events = made + operations
    return (
        threads,
        f"{made / 1e6:.1f} M",
        f"{operations / 1e6:.1f} M",
        f"{made / seconds / 1e6:.1f} M" if seconds else "",
        f"{100 * lost / events:.2f} %",
        f"{peak / 1e6:.0f} MB",
        f"{size / events:.1f}",
        f"{cpu_ns / events:.0f} ns",
        f"{exit_ns / 1e6:.0f} ms",
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("threads", type=int, nargs="*", default=[8, 64])
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--operations", type=int, default=1000000)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    names = ("threads", "calls", "operations", "calls a second", "dropped", "peak", "bytes an event",
             "writer an event", "exit")
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    works = [("full_rate_app", "empty", threads, f"{threads},0,{arguments.seconds}", arguments.seconds)
             for threads in arguments.threads]
    # Three of its ten calls have an operation.
    if arguments.operations:
        works.append(("account_app", "fake", 8, f"8,{arguments.operations * 10 // 3 // 8},0", 0))
    for work in works:
        print("| " + " | ".join(map(str, measure(build, *work))) + " |", flush=True)


main()
