#!/usr/bin/python3
"""What is lost where a program makes calls as fast as it can: full_rate.py BUILD [THREADS...] [--seconds N]

Runs full_rate_app, whose calls do nothing, with 8 and with 64 threads for 30 seconds each, traced, on the
processors that there are (taskset limits them). Needs no GPU. Prints a row for each: calls made, of them dropped,
the most memory that the process had (the program itself has 2 MB), bytes of the file a call, processor time of
the writer thread a call, and how long the exit took.
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


def measure(build, threads, seconds, folder):
    trace = os.path.join(folder, "trace.db")
    environment = dict(
        os.environ,
        LD_PRELOAD=str(build / "lib/libstrace.so"),
        LD_LIBRARY_PATH=str(build / "lib/empty"),
        STREAMTRACE_OUTPUT=trace,
    )
    output, peak = peak_bytes([build / "bin/tests/full_rate_app", f"{threads},0,{seconds}"], environment)
    made = sum(int(line.split()[2]) for line in output.splitlines())
    database = sqlite3.connect(trace)

    def value(sql):
        return int(database.execute(sql).fetchone()[0])

    rows = value("SELECT count(*) FROM calls")
    kept = rows + value("SELECT coalesce(sum(calls), 0) FROM call_blocks")
    lost = value("SELECT coalesce(sum(count), 0) FROM losses WHERE kind IN ('ring-overflow', 'exit-timeout')")
    if kept + lost != made:
        sys.exit(f"full_rate.py: of {made} calls {kept} are recorded and {lost} lost")
    cpu_ns = value("SELECT value FROM metadata WHERE key = 'tool_cpu_ns'")
    exit_ns = value("SELECT value FROM metadata WHERE key = 'tool_flush_ns'")
    database.close()
    size = os.path.getsize(trace)
    os.remove(trace)
    return (
        threads,
        f"{made / 1e6:.1f} M",
        f"{made / seconds / 1e6:.1f} M",
        f"{100 * lost / made:.2f} %",
        f"{100 * rows / made:.1f} %",
        f"{peak / 1e6:.0f} MB",
        f"{size / made:.1f}",
        f"{cpu_ns / made:.0f} ns",
        f"{exit_ns / 1e6:.0f} ms",
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("threads", type=int, nargs="*", default=[8, 64])
    parser.add_argument("--seconds", type=int, default=30)
    arguments = parser.parse_args()
    names = ("threads", "calls", "a second", "dropped", "as rows", "peak", "bytes a call", "writer a call", "exit")
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    with tempfile.TemporaryDirectory() as folder:
        for threads in arguments.threads:
            cells = measure(arguments.build.resolve(), threads, arguments.seconds, folder)
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)


main()
