#!/usr/bin/env python3
"""What watching adds to a call whose code and data are in no cache, as between two calls of a program that computes.

    cold_calls.py BUILD [ROUNDS [LIBSTRACE...]]

call_cost.py and the count of instructions measure loops of nothing else. Here 2 MB of other memory and 256 KB of other code
are used before each call (cold_calls.c), which itself counts to 500 in a stand-in for cudart: from below six frames of a C program,
and of Python, eight frames deep. Each LIBSTRACE (default that of BUILD) has a process in each of ROUNDS rounds (default 7), in
turn, in which it watches and pauses in turn. Prints Markdown: ns a call, the median of the rounds with the smallest and
the largest. Needs no GPU. The figures are of this machine: compare two libraries in one run.
"""
import ctypes
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

TURNS, CALLS, WARM_UP = 20, 120, 3
COUNT = "500"  # below a microsecond
DEPTH = 4  # with this file's own frames eight or nine; eight are read


def call(library, is_cold, depth):
    return call(library, is_cold, depth - 1) if depth else library.cold_calls_ns(is_cold)


def call_from_python(path, is_cold):
    library = ctypes.CDLL(path)
    library.cold_calls_ns.restype = ctypes.c_double
    for turn in range(2 * TURNS):
        library.cold_calls_turn(turn % 2)
        for ns in [call(library, is_cold, DEPTH) for _ in range(CALLS)]:
            print(turn % 2, ns)


def added_ns(build, libstrace, from_python, is_cold):
    """The difference of the means of watched and paused calls, without a twentieth at both ends."""
    python = [sys.executable, __file__, "python", build / "lib/cold_calls.so"]
    with tempfile.TemporaryDirectory() as folder:
        command = [*python, str(is_cold)] if from_python else [build / "bin/tests/cold_calls", str(is_cold), str(TURNS), str(CALLS)]
        output = subprocess.run(command, check=True, capture_output=True, text=True, env={
            **os.environ, "LD_PRELOAD": str(libstrace), "STREAMTRACE_MODE": "watch", "EMPTY_CUDART_COUNT": COUNT,
            "STREAMTRACE_OUTPUT": f"{folder}/watched.db", "LD_LIBRARY_PATH": str(build / "lib/empty")}).stdout
    times = {"0": [], "1": []}
    for number, line in enumerate(output.splitlines()):
        is_watched, ns = line.split()
        if number % CALLS >= WARM_UP:
            times[is_watched].append(float(ns))
    paused, watched = (sorted(values)[len(values) // 20:-len(values) // 20] for values in times.values())
    return statistics.mean(watched) - statistics.mean(paused)


def main():
    if sys.argv[1] == "python":
        return call_from_python(sys.argv[2], int(sys.argv[3]))
    build, rounds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 7
    libraries = sys.argv[3:] or [build / "lib/libstrace.so"]
    print(f"| | {' | '.join(map(str, libraries))} |\n|{'---|' * (len(libraries) + 1)}")
    for name, from_python, is_cold in (("C, cold", 0, 1), ("Python, cold", 1, 1), ("C", 0, 0), ("Python", 1, 0)):
        values = [[added_ns(build, library, from_python, is_cold) for library in libraries] for _ in range(rounds)]
        print(f"| {name} |", " | ".join(f"{statistics.median(column):.0f} ({min(column):.0f}..{max(column):.0f})"
                                        for column in zip(*values)), "|", flush=True)


if __name__ == "__main__":
    main()
