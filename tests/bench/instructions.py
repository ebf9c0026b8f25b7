#!/usr/bin/python3
"""Counts the instructions that tracing takes, and compares them with a budget.

    instructions.py APP LIBSTRACE STANDINS COMPILER [BUDGET]

APP (instructions_app) runs traced under valgrind's callgrind, once in a window and once paused, on the stand-ins
of the CUDA libraries in the folder STANDINS. No GPU is involved and no clock but own_clock.c, which goes on only
when the program's thread reads it: the counts of that thread are the same on every machine, however busy, to the
instruction. Where the processor's counter stands for the clock (base/clock.h) a reading takes some 45 less. Counted
is the tracer and what it calls in libc, not CUDA:

    NAME.wrapper    a wrapped call, on the program's thread, without the callbacks inside of it
    NAME.callbacks  CUPTI's callbacks of one such call, both together
    NAME.paused     a wrapped call while no window is open
    NAME.watch      a wrapped call in watch mode, which has no callbacks; range.watch likewise
    range.now       the begin and the end of an NVTX range together; range.paused while no window is open
    written.call    what the writer thread takes to pack a call, without what it takes for each block
    written.record  what it takes to store one of CUPTI's records: half of them kernels, half copies

BUDGET has lines of a name and its instructions, and one `compiler NAME MAJOR`: what built it. A count may be above
by ALLOWED_PERCENT, for commits of the file and the like; where COMPILER, as "GNU 12.2.0", is another one, by
OTHER_COMPILER_PERCENT. Prints the counts as a budget: after a change that is worth its instructions, or that
saves some, they become the new one. Exit status: 0 within the budget, 1 above it, 2 nothing could be counted,
77 valgrind is not here.
"""
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CALLS = 1024  # of each loop: one in some 64 is a measured call, one in 1024 unwinds the stack
ALLOWED_PERCENT = 2
OTHER_COMPILER_PERCENT = 15
PROGRAM_THREAD = 1
BUFFER_CALLBACK = "on_buffer_request"  # of cupti/source.c
# libc chooses its memcpy() and the like by the processor: the same ones everywhere.
PLAIN_PROCESSOR = "glibc.cpu.hwcaps=-AVX2,-AVX,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM"

# A call from one function into another. The files are "program", "tracer", "cuda" or "other"; instructions:
# those of all the calls, with what was called inside of them.
Arc = collections.namedtuple("Arc", "caller_file caller callee_file callee calls instructions")


class Failure(Exception):
    pass


def run(app, library, folder, start, *ranges):
    """Runs APP with STREAMTRACE_START, or in watch mode; returns callgrind's files: thread and part to path, parts in order of time."""
    out = os.path.join(folder, "out")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMTRACE_")}
    environment["LD_LIBRARY_PATH"] = sys.argv[3]
    environment["LD_PRELOAD"] = library
    environment["GLIBC_TUNABLES"] = PLAIN_PROCESSOR
    environment["STREAMTRACE_OUTPUT"] = os.path.join(folder, "trace.db")
    if start == "watch":
        environment["STREAMTRACE_MODE"] = "watch"
    else:
        environment["STREAMTRACE_START"] = start
    environment["STREAMTRACE_EXIT_TIMEOUT_MS"] = "3600000"
    command = ["valgrind", "-q", "--tool=callgrind", "--separate-threads=yes", "--compress-strings=no",
               "--dump-before=loop_*", "--dump-before=loops_end", f"--callgrind-out-file={out}", app, str(CALLS), *ranges]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise Failure(f"exit status {done.returncode}\n{done.stdout}")
    paths = {}
    for path in pathlib.Path(folder).glob("out*-*"):
        part, thread = re.fullmatch(r"out(?:\.(\d+))?-(\d+)", path.name).groups()
        paths[int(thread), int(part or sys.maxsize)] = path  # the last part has no number
    return dict(sorted(paths.items()))


def kind_of(path, app, library):
    if os.path.realpath(path) == os.path.realpath(app):
        return "program"
    if os.path.realpath(path) == os.path.realpath(library):
        return "tracer"
    return "cuda" if os.path.basename(path).startswith(("libcudart.", "libcupti.", "libcuda.")) else "other"


def read_part(path, kind):
    """What caused the part's end, and its arcs."""
    trigger, arcs, here, there, calls = "", [], {}, {}, 0
    for line in path.read_text().splitlines():
        key, _, value = line.partition("=")
        if line.startswith("desc: Trigger: "):
            trigger = line.rpartition("=")[2]
        elif key in ("ob", "fn"):
            here[key] = value
        elif key in ("cob", "cfn"):
            there[key] = value
        elif key == "calls":
            calls = int(value.split()[0])
        elif calls:
            file = there.get("cob", here["ob"])
            arcs.append(Arc(kind(here["ob"]), here["fn"], kind(file), there["cfn"], calls, int(line.split()[-1])))
            there, calls = {}, 0
    return trigger, arcs


def total(arcs, wanted, field="instructions"):
    return sum(getattr(arc, field) for arc in arcs if wanted(arc))


def wraps(arc):
    return arc.caller_file == "program" and arc.callee_file == "tracer"


def calls_back(arc):
    """Not for a buffer: whether the writer's flush or the program's call asks for one is a matter of time."""
    return arc.caller_file == "cuda" and arc.callee_file == "tracer" and arc.callee != BUFFER_CALLBACK


def leaves(arc):
    return arc.caller_file == "tracer" and arc.callee_file == "cuda"


def count_alone(state):
    """As count_loop(), of the wrapper alone: when callbacks go off is the writer thread's affair."""
    def count_alone_loop(name, arcs):
        if any(map(wraps, arcs)):
            if total(arcs, wraps, "calls") != CALLS:
                raise Failure(f"{name}: not all of {CALLS} calls were made")
            yield f"{name}.{state}", total(arcs, wraps) - total(arcs, leaves)
    return count_alone_loop


def count_loop(name, arcs):
    """Of one loop's part: from the outside into the tracer, less what it calls of CUDA."""
    wrappers = {arc.callee for arc in arcs if wraps(arc)}

    if wrappers and total(arcs, wraps, "calls") != CALLS or total(arcs, calls_back, "calls") < CALLS:
        raise Failure(f"{name}: not all of {CALLS} calls were traced")
    if wrappers:
        yield f"{name}.wrapper", total(arcs, wraps) - total(
            arcs, lambda arc: leaves(arc) and arc.caller in wrappers)
    yield f"{name}.callbacks", total(arcs, calls_back) - total(
        arcs, lambda arc: leaves(arc) and arc.caller not in wrappers)


def count_loops(parts, count_one):
    """A part ends where the next loop begins; of a loop's two runs the second one counts."""
    counts, before = {}, ""
    for trigger, arcs in parts:
        if before.startswith("loop_") and trigger != before:
            name = before[len("loop_"):]
            counts.update((key, count / CALLS) for key, count in count_one(name, arcs))
        before = trigger
    return counts


def count_written(arcs):
    """By the functions of recorder/pack.c and cupti/activity.c that take the records one by one."""
    for name, function, once in (("call", "packer_add", "packer_add"), ("record", "activity_store", "activity_store")):
        calls = total(arcs, lambda arc: arc.callee == once, "calls")
        if calls < CALLS:
            raise Failure(f"written.{name}: {calls} calls of {once}()")
        taken = total(arcs, lambda arc: arc.callee == function)
        if not taken:
            raise Failure(f"written.{name}: {function}() is not called by that name")
        yield f"written.{name}", taken / calls


def count_range(name, arcs):
    """A begin and an end."""
    if total(arcs, wraps, "calls") != 2 * CALLS:
        raise Failure(f"{name}: not all of {CALLS} ranges were seen")
    yield name, total(arcs, wraps)


def run_parts(app, library, start, *ranges):
    with tempfile.TemporaryDirectory() as folder:
        paths = run(app, library, folder, start, *ranges)
        return {key: read_part(path, lambda file: kind_of(file, app, library)) for key, path in paths.items()}


def of_program(parts):
    return (part for (thread, _), part in parts.items() if thread == PROGRAM_THREAD)


def count(app, library):
    parts = run_parts(app, library, "now")
    counts = count_loops(of_program(parts), count_loop)
    for state in "paused", "watch":
        counts.update(count_loops(of_program(run_parts(app, library, state)), count_alone(state)))
    for start in "now", "paused", "watch":
        ranges = count_loops(of_program(run_parts(app, library, start, "ranges")), count_range)
        counts[f"range.{start}"] = ranges["range"]
    every_arc = [arc for _, arcs in parts.values() for arc in arcs]
    if not any(arc.callee == BUFFER_CALLBACK for arc in every_arc):
        raise Failure(f"{BUFFER_CALLBACK}() is not called by that name")
    counts.update(count_written(every_arc))
    return counts


def read_budget(path):
    lines = [line.split() for line in open(path) if line.strip() and not line.startswith("#")]
    compiler = next(" ".join(words[1:]) for words in lines if words[0] == "compiler")
    return {words[0]: int(words[1]) for words in lines if words[0] != "compiler"}, compiler


def compare(counts, path, compiler):
    """Prints what is above the budget, and whether there was any."""
    budget, budgets_compiler = read_budget(path)
    is_same = f"{compiler}.".startswith(f"{budgets_compiler}.")
    percent = ALLOWED_PERCENT if is_same else OTHER_COMPILER_PERCENT
    failed = False
    if not is_same:
        print(f"{compiler}, the budget is of {budgets_compiler}: {percent} % more are allowed")
    for name in sorted(counts.keys() ^ budget.keys()):
        failed = True
        print(f"FAILED: {name}: " + ("not in the budget" if name in counts else "in the budget, and not counted"))
    for name in [name for name in counts if name in budget]:
        more = counts[name] - budget[name]
        if more * 100 > budget[name] * percent:
            failed = True
            print(f"FAILED: {name}: {counts[name]:.0f} instructions, {more:.0f} above the budget of {budget[name]}")
        elif -more * 100 > budget[name] * percent:
            print(f"{name}: {-more:.0f} below the budget of {budget[name]}: lower it")
    return failed


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    if not shutil.which("valgrind"):
        print("skipped: no valgrind here")
        return 77
    try:
        counts = count(sys.argv[1], sys.argv[2])
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 2
    print(f"{'compiler':24} {sys.argv[4]}")
    for name, instructions in counts.items():
        print(f"{name:24} {instructions:.0f}")
    return int(len(sys.argv) == 6 and compare(counts, sys.argv[5], sys.argv[4]))


if __name__ == "__main__":
    sys.exit(main())
