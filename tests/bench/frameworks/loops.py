#!/usr/bin/env python3
"""Runs the loops of one framework: score.py calls this.

    loops.py time FRAMEWORK     each loop and its twin, untraced
    loops.py trace FRAMEWORK    each loop in a window of the tracer

Each loop has a process of its own, runs twice unmeasured and then REPEATS times; a time is the median.
Prints one JSON object a line: {"case", "before_s", "after_s"}, without "after_s" for a quiet loop; or
{"case", "pid", "traced_s", "fixes"}, with the ids of the twin's fixes. A loop that fails gives
{"case", "error"}.
"""
import ctypes
import importlib
import json
import os
import statistics
import sys
import time

WARM_UPS = 2
REPEATS = 3


def timed(loop):
    start = time.perf_counter()
    loop()
    return time.perf_counter() - start


def warm(loop):
    for _ in range(WARM_UPS):
        loop()
    return loop


def time_case(case, fixes):
    before = warm(case(False))
    if fixes is None:
        return {"before_s": statistics.median(timed(before) for _ in range(REPEATS))}
    after = warm(case(True))
    pairs = [(timed(before), timed(after)) for _ in range(REPEATS)]
    return {"before_s": statistics.median(pair[0] for pair in pairs),
            "after_s": statistics.median(pair[1] for pair in pairs)}


def trace_case(case, fixes):
    tracer = ctypes.CDLL(None)
    before = warm(case(False))
    tracer.streamtrace_start()
    seconds = timed(before)
    tracer.streamtrace_stop()
    return {"pid": os.getpid(), "traced_s": seconds, "fixes": fixes}


def say(case, answer):
    print(json.dumps({"case": case.__name__, **answer}), flush=True)


def attempt(case, measure, fixes):
    try:
        say(case, measure(case, fixes))
    except Exception as error:  # a framework that lacks a function: the others go on
        say(case, {"error": f"{type(error).__name__}: {error}"[:200]})


def in_child(case, measure, fixes):
    """CUDA cannot be used on both sides of a fork: nothing before it may start CUDA."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    attempt(case, measure, fixes)
    sys.exit()


def main():
    mode, framework = sys.argv[1:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    pairs = importlib.import_module(f"{framework}_pairs")
    for case, fixes in [*pairs.PAIRS.items(), *((quiet, None) for quiet in pairs.QUIET)]:
        in_child(case, time_case if mode == "time" else trace_case, fixes)


main()
