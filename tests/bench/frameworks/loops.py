#!/usr/bin/env python3
"""Runs the loops of one framework: score.py calls this.

    loops.py time FRAMEWORK ROUNDS     each loop and its twin in turn, untraced
    loops.py trace FRAMEWORK CASE...   each loop once in a window of the tracer, in a process of its own

Prints one JSON object a line: {"case", "before_s": [...], "after_s": [...]}, without "after_s" for a quiet
loop; or {"case", "pid", "traced_s", "fixes"}, with the ids of the twin's fixes. A loop that fails gives {"case", "error"}. Each runs twice unmeasured.
"""
import ctypes
import importlib
import json
import os
import sys
import time

WARM_UPS = 2


def timed(loop):
    start = time.perf_counter()
    loop()
    return time.perf_counter() - start


def warm(loop):
    for _ in range(WARM_UPS):
        loop()
    return loop


def time_case(case, is_quiet, rounds):
    before = warm(case(False))
    if is_quiet:
        return {"before_s": [timed(before) for _ in range(rounds)]}
    after = warm(case(True))
    pairs = [(timed(before), timed(after)) for _ in range(rounds)]
    return {"before_s": [pair[0] for pair in pairs], "after_s": [pair[1] for pair in pairs]}


def trace_case(case, fixes):
    tracer = ctypes.CDLL(None)
    before = warm(case(False))
    tracer.streamtrace_start()
    seconds = timed(before)
    tracer.streamtrace_stop()
    return {"pid": os.getpid(), "traced_s": seconds, "fixes": fixes}


def say(case, answer):
    print(json.dumps({"case": case.__name__, **answer}), flush=True)


def attempt(case, measure, *arguments):
    try:
        say(case, measure(case, *arguments))
    except Exception as error:  # a framework that lacks a function: the others go on
        say(case, {"error": f"{type(error).__name__}: {error}"[:200]})


def in_child(case, measure, *arguments):
    """CUDA cannot be used on both sides of a fork: nothing before it may start CUDA."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    attempt(case, measure, *arguments)
    sys.exit()


def main():
    mode, framework, *rest = sys.argv[1:]
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    pairs = importlib.import_module(f"{framework}_pairs")
    for case in [*pairs.PAIRS, *pairs.QUIET]:
        if mode == "time":
            in_child(case, time_case, case in pairs.QUIET, int(rest[0]))
        elif case.__name__ in rest:
            in_child(case, trace_case, pairs.PAIRS.get(case))


main()
