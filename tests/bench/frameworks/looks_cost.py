#!/usr/bin/env python3
"""What looks at the host's threads (preload/host) add, told within one process.

    looks_cost.py BUILD [ROUNDS [PROCESSES [control]]]

Processes of one program differ by more than looks cost. So the thread that looks is stopped and goes on, with ptrace and
nobody else, while one traced process runs the same loops again and again: those of cost.py, and calls from C++
(call_cost.cu). Each round (default 10) has two runs with looks and two without, in the order with, without, without,
with; of each pair of runs in the same state the second counts: after a stop looks are nearer to each other until what
they cost has been judged. Prints Markdown, a row a loop: how much longer it takes with looks, the median of the rounds of
all PROCESSES (default 3) and their middle half; the ms without; each process's own median. With `control` a thread that
sleeps anyway, the driver's, is stopped instead: what is printed then is the method's own error.
"""
import ctypes
import os
import pathlib
import statistics
import sys
import tempfile

import cost

PTRACE_CONT, PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 7, 17, 0x4206, 0x4207  # linux/ptrace.h
WALL = 0x40000000  # __WALL of waitpid(): also threads
CALLS = 30000
libc = ctypes.CDLL(None, use_errno=True)


def ptrace(request, thread):
    if libc.ptrace(request, thread, None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


class Stoppable:
    """A thread of a process: of those with a name the youngest. Of the tracer's two that is the one that looks: the writer
    has started it."""

    def __init__(self, process, name):
        tasks = pathlib.Path(f"/proc/{process}/task")
        self.thread = max(int(task.name) for task in tasks.iterdir() if (task / "comm").read_text().strip() == name)
        ptrace(PTRACE_SEIZE, self.thread)

    def stop(self):
        ptrace(PTRACE_INTERRUPT, self.thread)
        os.waitpid(self.thread, WALL)

    def go_on(self):
        ptrace(PTRACE_CONT, self.thread)

    def let_go(self):
        """Else the process's end waits for one who waits for this thread."""
        self.stop()
        ptrace(PTRACE_DETACH, self.thread)


def rounds_of(process, looker, count):
    """(times with looks, times without) of each round, by name."""
    processors = sorted(os.sched_getaffinity(0))
    for number in range(count):
        processor = processors[number % len(processors)]
        times = {True: [], False: []}
        for has_looks in (True, False, False, True):
            if not has_looks:
                looker.stop()
            process.run(processor)
            times[has_looks].append(process.run(processor))
            if not has_looks:
                looker.go_on()
        yield times


def measure(name, command, environment, count, stopped, found):
    process = cost.Process(command, environment)
    process.answer()
    process.run(min(os.sched_getaffinity(0)))
    looker = Stoppable(process.process.pid, stopped)
    for times in rounds_of(process, looker, count):
        for case in times[True][0]:
            on, off = (sum(run[case] for run in times[has_looks]) for has_looks in (True, False))
            found.setdefault((name, case), []).append((on, off))
    looker.let_go()
    process.stop()


def main():
    build, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 10
    processes = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    programs = {"Python": [sys.executable, str(cost.HERE / "cost.py"), "loops"],
                "C++, ns a call": [str(build / "bin/tests/call_cost"), str(CALLS), "stay"]}
    stopped = "cuda-EvtHandlr" if sys.argv[4:] == ["control"] else "streamtrace"
    found, own = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(processes):
            for name, command in programs.items():
                traced = next(environment for variant, _, environment in cost.variants(build, folder, command)
                              if variant == "streamtrace")
                one = {}
                measure(name, command, traced, count, stopped, one)
                for key, pairs in one.items():
                    found.setdefault(key, []).extend(pairs)
                    own.setdefault(key, []).append(statistics.median(on / off - 1 for on, off in pairs))
                print(f"{name}: process {number + 1}", file=sys.stderr, flush=True)
    print("| loop | looks add | middle half | without looks | each process |\n|---|---|---|---|---|")
    for (name, case), pairs in found.items():
        more = sorted(on / off - 1 for on, off in pairs)
        quarter, _, three = statistics.quantiles(more, n=4)
        without = statistics.median(off / 2 for _, off in pairs)
        print(f"| {name}: {case} | {statistics.median(more):+.1%} | {quarter:+.1%}..{three:+.1%} | {without:.0f} | "
              + ", ".join(f"{each:+.1%}" for each in own[name, case]) + " |", flush=True)


if __name__ == "__main__":
    main()
