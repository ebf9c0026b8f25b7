#!/usr/bin/env python3
"""Runs the loops of one framework for score.py, which asks on standard input.

    loops.py FRAMEWORK

The files FRAMEWORK_*.py and FRAMEWORK.py beside this one have its loops. A request is a line, an answer one JSON
object in a line. First comes {"cases": {CASE: its value in PAIRS, null for a quiet loop}}. Then:

    time CASE     the loop and its twin in a new process, untraced: "ready"; after each line "again" the two run
                  in turn: {"before_s", "after_s"}, without "after_s" for a quiet loop; until the line "end"
    trace CASE    the loop in a window of the tracer, in a new process: {"pid", "traced_s"}

Each loop runs WARM_UPS times unmeasured before. {"done": STATUS} follows when the process has ended. A loop that
fails gives {"error"}; a request may take LIMIT_S.
"""
import ctypes
import importlib
import json
import os
import pathlib
import signal
import sys
import time

WARM_UPS = 2
LIMIT_S = 60
SLOW_IMPORTS = {"torch": ["torch._dynamo"]}  # what a first optimizer imports, in seconds
IS_LATE = "LOOPS_IMPORT_LATE"
HERE = pathlib.Path(__file__).resolve().parent


def say(**answer):
    print(json.dumps(answer), flush=True)


def requests():
    """The words of each line, with LIMIT_S for what is asked there."""
    while True:
        signal.alarm(0)
        words = sys.stdin.readline().split()
        signal.alarm(LIMIT_S)
        if not words or words == ["end"]:
            return
        yield words


def is_cuda_started():
    try:
        driver = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return False
    return driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) == 0


def import_early(framework):
    """Once for all processes of loops; not at all where that starts CUDA, which a fork does not survive."""
    if IS_LATE in os.environ:
        return
    try:
        for name in SLOW_IMPORTS.get(framework.removeprefix("host_"), []):
            importlib.import_module(name)
    except ImportError:
        pass
    if is_cuda_started():
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, IS_LATE: "1"})


def timed(loop):
    start = time.perf_counter()
    loop()
    return time.perf_counter() - start


def warm(loop):
    for _ in range(WARM_UPS):
        loop()
    return loop


def time_case(case, is_quiet):
    before = warm(case(False))
    after = None if is_quiet else warm(case(True))
    say(ready=True)
    for _ in requests():
        answer = {"before_s": timed(before)}
        say(**answer, **({"after_s": timed(after)} if after else {}))


def trace_case(case, _):
    tracer = ctypes.CDLL(None)
    before = warm(case(False))
    tracer.streamtrace_start()
    seconds = timed(before)
    tracer.streamtrace_stop()
    say(pid=os.getpid(), traced_s=seconds)


def in_child(measure, case, is_quiet):
    """CUDA cannot be used on both sides of a fork: nothing before it may start CUDA."""
    child = os.fork()
    if child:
        say(done=os.waitpid(child, 0)[1])
        return
    signal.alarm(LIMIT_S)
    try:
        measure(case, is_quiet)
    except Exception as error:  # a framework that lacks a function: the others go on
        say(error=f"{type(error).__name__}: {error}"[:200])
    sys.exit()


def main():
    sys.path.insert(0, str(HERE))
    paths = [path for pattern in (f"{sys.argv[1]}_*.py", f"{sys.argv[1]}.py") for path in sorted(HERE.glob(pattern))]
    modules = [importlib.import_module(path.stem) for path in paths]
    import_early(sys.argv[1])
    fixes = {case: ids for module in modules for case, ids in module.PAIRS.items()}
    fixes.update((case, None) for module in modules for case in module.QUIET)
    say(cases={case.__name__: ids for case, ids in fixes.items()})
    cases = {case.__name__: case for case in fixes}
    for words in iter(lambda: sys.stdin.readline().split(), []):
        if words[0] in ("time", "trace"):
            case = cases[words[1]]
            in_child(time_case if words[0] == "time" else trace_case, case, fixes[case] is None)


main()
